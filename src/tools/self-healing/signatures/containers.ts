import { cause, exit, survivable, within, wrapper } from "./signature.ts";

export const containers = within("docker", [
  cause(
    "docker-image",
    "dependency_resolution",
    /manifest (?:for \S+ )?(?:not found|unknown)|pull access denied for (?<package>\S+)|repository .* does not exist|ErrImagePull|ImagePullBackoff|failed to (?:resolve source metadata|pull image)|no matching manifest for/,
    "Error response from daemon: manifest for python:3.99 not found: manifest unknown",
    94,
  ),
  cause(
    "docker-daemon",
    "infrastructure",
    /Cannot connect to the Docker daemon|Is the docker daemon running|docker\.sock: connect|error during connect/,
    "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
    95,
  ),
  cause(
    "docker-copy",
    "missing_file",
    /failed to (?:compute cache key|calculate checksum)|COPY failed|ADD failed|failed to read dockerfile|Cannot locate (?:specified )?Dockerfile/,
    'ERROR: failed to compute cache key: "/dist" not found',
    94,
  ),
  cause(
    "docker-answer",
    "infrastructure",
    /^(?:docker: )?Error response from daemon: /,
    "Error response from daemon: driver failed programming external connectivity",
    88,
  ),
  cause(
    "docker-file",
    "configuration",
    /dockerfile parse error|unknown instruction: |failed to parse (?:stage|Dockerfile)|yaml: line \d+|compose file .* is invalid|services\.\S+ (?:must be|Additional)/,
    "dockerfile parse error on line 3: unknown instruction: RUNN",
    93,
  ),
  wrapper(
    "docker-step",
    undefined,
    /^(?:ERROR: )?failed to solve: |^ERROR: (?:failed to build|process ")|The command '.*' returned a non-zero code: \d+|did not complete successfully: exit code/,
    'ERROR: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
    62,
  ),
]);

export const clusters = [
  ...within("kubernetes", [
    cause(
      "kubernetes-rollout",
      "infrastructure",
      /CrashLoopBackoff|error: timed out waiting for the condition|exceeded its progress deadline|Insufficient (?:cpu|memory)|FailedScheduling|Evicted/,
      'error: deployment "shop" exceeded its progress deadline',
      92,
    ),
    cause(
      "kubernetes-manifest",
      "configuration",
      /error validating (?:data|")|unable to recognize|no matches for kind|is invalid: spec|parse error at \(|unable to build kubernetes objects/,
      'error: error validating "shop.yaml": error validating data: unknown field "spec.replica"',
      93,
    ),
    wrapper(
      "helm-failed",
      undefined,
      /Error: (?:INSTALLATION|UPGRADE) FAILED/,
      "Error: UPGRADE FAILED: another operation is in progress",
      81,
    ),
    cause(
      "kubernetes-api",
      "infrastructure",
      /The connection to the server \S+ was refused|Unable to connect to the server/,
      "The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?",
      94,
    ),
  ]),
  ...within("terraform", [
    cause(
      "terraform-error",
      "configuration",
      /^(?:│ )?Error: (?:Unsupported|Invalid|Missing required|Reference to undeclared|Duplicate|Failed to (?:install|query) (?:provider|available)|Inconsistent dependency lock|Module not installed|creating|reading|updating|deleting)/,
      "│ Error: Unsupported argument",
      91,
    ),
    cause(
      "terraform-lock",
      "infrastructure",
      /Error acquiring the state lock/,
      "│ Error: Error acquiring the state lock",
      95,
    ),
  ]),
  ...survivable([
    cause(
      "ansible-task",
      undefined,
      /^fatal: \[(?<host>[^\]]+)\]: (?:FAILED|UNREACHABLE)!/,
      'fatal: [web1]: FAILED! => {"changed": false, "msg": "cannot begin"}',
      92,
    ),
  ]),
  exit(
    "ansible-recap",
    undefined,
    /\bok=\d+ .*\b(?:unreachable|failed)=[1-9]/,
    "web1 : ok=4    changed=1    unreachable=0    failed=1    skipped=0",
  ),
];
