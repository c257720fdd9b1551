import { cause, exit, within, wrapper } from "./signature.ts";

/** The services that run builds. */
export const runners = within("ci", [
  cause(
    "runner-lost",
    "infrastructure",
    /runner has received a shutdown signal|lost communication with the server|[Aa]gent (?:went|was|is) (?:offline|disconnected|lost)|runner system failure|The hosted runner encountered an error|Cannot contact \S+:|spot instance|node was (?:terminated|preempted|removed)|no space for new jobs|worker-lost|claim-expired/,
    "The runner has received a shutdown signal.",
    94,
  ),
  cause(
    "runner-setup",
    "infrastructure",
    /Executing the custom container implementation failed|Failed to (?:initialize|start) (?:container|the runner)|Docker pull failed|Error: Unable to process file command|No (?:hosted parallelism|runners? (?:matching|online))|There has been a runner|[Ww]orker (?:process )?(?:died|crashed|exited unexpectedly)/,
    "Docker pull failed with exit code 1",
    82,
  ),
  cause(
    "run-cancelled",
    "infrastructure",
    /The (?:operation|run|job|build) (?:was|has been) (?:cancell?ed|aborted)|^A task was canceled|^Aborted by |[Jj]ob (?:was )?cancell?ed|Build was aborted|signal: terminated/,
    "The operation was canceled.",
    76,
  ),
  cause(
    "job-time-limit",
    "timeout",
    /(?:The job|The action|Job|Build|execution|[Pp]ipeline).{0,60}(?:exceeded the maximum|execution took longer|ran longer|timed out|has timed out)|Command timed out|Too long with no output|No output has been received/,
    "The job running on runner ci-3 has exceeded the maximum execution time of 360 minutes.",
    95,
  ),
  cause(
    "workflow-file",
    "configuration",
    /Unable to resolve action|Can't find 'action\.ya?ml'|Invalid workflow file|Unexpected input\(s\)|Input required and not supplied|\(Line: \d+, Col: \d+\)|yaml invalid|jobs config should contain|WorkflowScript: \d+:|Missing download info|mapping values are not allowed|did not find expected|could not find expected ':'/,
    "Input required and not supplied: token",
    93,
  ),
  cause(
    "jenkins-scm",
    "infrastructure",
    /^(?:ERROR|FATAL): (?:Error (?:cloning|fetching) remote repo|Could not checkout|Couldn't find any revision)|hudson\.plugins\.git\.GitException/,
    "ERROR: Error cloning remote repo 'origin'",
    84,
  ),
  cause(
    "mozilla-unexpected",
    "test_failure",
    /TEST-UNEXPECTED-\w+ \| (?<file>[^|]+?) \|/,
    "TEST-UNEXPECTED-FAIL | dom/cart/test_total.html | Got 90, expected 91",
    93,
  ),
  cause(
    "mozilla-crash",
    "test_failure",
    /^PROCESS-CRASH \||application crashed \[/,
    "PROCESS-CRASH | dom/cart/test_total.html | application crashed [@ Cart::Total]",
    94,
  ),
  cause(
    "mozilla-harness",
    "infrastructure",
    /^(?:\[taskcluster:error\]|Automation Error:|remoteFailed:|\S+ ERROR - |Return code: [1-9]|.*\| (?:timeout|missing) )/,
    "Automation Error: Exception caught while running tests",
    84,
  ),
  wrapper(
    "jenkins-channel",
    "infrastructure",
    /ChannelClosedException|Remote call .* failed/,
    "java.io.IOException: Remote call on ci-3 failed",
    84,
  ),
  exit(
    "step-exit",
    undefined,
    /^(?:Error: )?(?:Process completed with exit code [1-9]\d*|Job failed: exit (?:code|status) [1-9]|Cleaning up project directory and file based variables.*exit|The process '.+' failed with exit code|Bash exited with code '[1-9]|##\[error\]|Exited with code exit status [1-9]|The command ".*" exited with [1-9]|🚨 Error: The command exited with status [1-9])/,
    "Process completed with exit code 1.",
    34,
  ),
  exit(
    "jenkins-finished",
    undefined,
    /^(?:Build step '.+' (?:marked build as failure|changed build result to FAILURE)|Finished: (?:FAILURE|ABORTED|UNSTABLE)|script returned exit code [1-9])/,
    "Build step 'Execute shell' marked build as failure",
    32,
  ),
]);
