import type { ToolFailure } from "../logs/tool-failures.ts";

const answer = (
  log: string,
  expected: Pick<ToolFailure, "cause" | "category" | "advice"> & Partial<ToolFailure>,
): ToolFailure => ({
  name: `kubectl: ${expected.cause}`,
  run: "kubectl apply -f k8s",
  log: `${log}\n`,
  ecosystem: "kubernetes",
  ...expected,
});

/** Answers of the API server, by the reasons that it gives. */
export const KUBERNETES: readonly ToolFailure[] = [
  answer(
    `namespace/shop unchanged
Error from server (Forbidden): error when retrieving current configuration of:
Resource: "apps/v1, Resource=deployments", GroupVersionKind: "apps/v1, Kind=Deployment"
Name: "api", Namespace: "stage"
from server for: "k8s/api.yaml": deployments.apps "api" is forbidden: User "system:serviceaccount:ci:bot" cannot get resource "deployments" in API group "apps" in the namespace "stage"`,
    {
      cause: "is forbidden: User",
      category: "permission",
      advice: /can-i get deployments --as=system:serviceaccount:ci:bot --namespace=stage/,
      never: /ls -ld|chmod/,
    },
  ),
  answer(
    'Error from server (InternalError): error when creating "k8s/ingress.yaml": Internal error occurred: failed calling webhook "validate.nginx.ingress.kubernetes.io": failed to call webhook: Post "https://ingress-nginx-controller-admission.ingress-nginx.svc:443/networking/v1/ingresses?timeout=10s": dial tcp 10.96.21.4:443: connect: connection refused',
    {
      cause: "failed calling webhook",
      category: "infrastructure",
      advice: /webhook validate\.nginx\.ingress\.kubernetes\.io/,
    },
  ),
  answer(
    'configmap/web configured\nError from server (BadRequest): error when creating "k8s/web.yaml": Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    {
      cause: "cannot unmarshal string",
      category: "configuration",
      place: "k8s/web.yaml",
      advice: /dry-run=server/,
    },
  ),
  answer(
    'Error from server (Invalid): error when replacing "svc.yaml": Service "web" is invalid: spec.clusterIP: Invalid value: "": field is immutable',
    { cause: "field is immutable", category: "configuration", place: "svc.yaml", advice: /svc\.yaml/ },
  ),
  answer(
    'Error from server: error when creating "pod.yaml": admission webhook "validate.kyverno.svc-fail" denied the request: ',
    {
      cause: "denied the request",
      category: "configuration",
      place: "pod.yaml",
      advice: /policy/,
      never: /can-i/,
    },
  ),
  answer(
    'Error from server (Timeout): error when creating "crd.yaml": Timeout: request did not complete within requested timeout - context deadline exceeded',
    { cause: "(Timeout)", category: "timeout", advice: /readyz/ },
  ),
  answer('Error from server (NotFound): jobs.batch "migrate" not found', {
    run: "kubectl wait job/migrate --for=condition=complete",
    cause: "(NotFound)",
    category: "configuration",
    advice: /get jobs\.batch --all-namespaces/,
  }),
  answer('Error from server (AlreadyExists): secrets "regcred" already exists', {
    run: "kubectl create secret generic regcred",
    cause: "(AlreadyExists)",
    category: "configuration",
    advice: /regcred with kubectl apply/,
  }),
  answer(
    'Error from server (Conflict): Operation cannot be fulfilled on horizontalpodautoscalers.autoscaling "web": the object has been modified; please apply your changes to the latest version and try again',
    { cause: "(Conflict)", category: "configuration", advice: /anew/ },
  ),
];
