import { command, configuration, edit, within } from "./suggestion.ts";

export const docker = within("docker", [
  command(
    { signatures: ["docker-image"], categories: ["dependency_resolution"] },
    "docker-tag",
    "Ask for a tag that exists, for this platform",
    "The registry has no such image or tag, or none for this architecture, or it wants a sign-in.",
    "docker manifest inspect {package}",
  ),
  command(
    { signatures: ["docker-daemon"], categories: ["infrastructure"] },
    "docker-start",
    "Start the Docker daemon, or give the job access to it",
    "No daemon answers on the socket.",
    "systemctl start docker && docker info",
  ),
  edit(
    { signatures: ["docker-copy"], categories: ["missing_file"] },
    "docker-context",
    "Put the file into the build context",
    "COPY sees only the context, without what .dockerignore excludes.",
    "cat .dockerignore",
  ),
  command(
    { categories: ["disk_full"] },
    "docker-prune",
    "Remove unused images, containers and build cache",
    "Layers and caches of earlier builds fill the disk.",
    "docker system prune && docker builder prune",
  ),
  configuration(
    { categories: ["network"] },
    "docker-login",
    "Sign in to the registry, or use a mirror",
    "Anonymous pulls are limited in number.",
    "docker login",
  ),
  configuration(
    { categories: ["out_of_memory"] },
    "docker-memory",
    "Raise the container's memory limit",
    "Exit code 137 means that the kernel killed the process for memory.",
    "docker stats --no-stream",
  ),
  edit(
    { categories: ["configuration"] },
    "docker-file",
    "Correct the Dockerfile on the named line",
    "The builder stops at the first instruction that it does not know.",
    "docker build --check .",
  ),
  configuration(
    { categories: ["permission"] },
    "docker-user",
    "Run as a user that owns the files, or in the docker group",
    "Files made by root in a container cannot be written outside, and the socket needs its group.",
    "id && ls -l /var/run/docker.sock",
  ),
]);

export const kubernetes = within("kubernetes", [
  command(
    { signatures: ["kubernetes-rollout"], categories: ["infrastructure", "timeout"] },
    "kubernetes-describe",
    "See why the pods do not become ready",
    "Events and the log of the last run name the reason.",
    "kubectl describe pods && kubectl get events --sort-by=.lastTimestamp",
  ),
  edit(
    { signatures: ["kubernetes-manifest"], categories: ["configuration"] },
    "kubernetes-validate",
    "Validate the manifest",
    "The API server names the field that it does not know.",
    "kubectl apply --dry-run=server -f .",
  ),
  configuration(
    { categories: ["permission"] },
    "kubernetes-rights",
    "Check the role of the service account",
    "The account may not do this in this namespace.",
    "kubectl auth can-i --list",
  ),
]);

export const terraform = within("terraform", [
  command(
    { categories: ["configuration"] },
    "terraform-validate",
    "Validate the configuration",
    "Terraform names the block and argument.",
    "terraform validate",
  ),
  command(
    { categories: ["dependency_resolution", "version_mismatch"] },
    "terraform-init",
    "Resolve the providers again",
    "The lock file holds other versions or lacks this platform's checksums.",
    "terraform init -upgrade",
  ),
  command(
    { signatures: ["terraform-lock"], categories: ["infrastructure"] },
    "terraform-unlock",
    "Release the lock once nobody else applies",
    "A run that was killed leaves the state locked.",
    "terraform force-unlock LOCK_ID",
  ),
]);
