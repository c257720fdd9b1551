/** Reports that the whole build succeeded. */
export const BUILD_SUCCEEDED: readonly RegExp[] = [
  /^\s*(?:\*\* )?BUILD SUCCE(?:SS|SSFUL|EDED)\b|^\s*Build succeeded\b|^Build completed successfully/i,
  /^Finished: SUCCESS$|^Job succeeded|^Pipeline (?:succeeded|passed)|^Overall status: (?:success|passed)/i,
  // Doxygen
  /^finished\.\.\.$/,
  /^Process completed with exit code 0|^Return code: 0$|^(?:The command|Command) .* exited with 0\b|Your build exited with 0\./,
];

/** Reports of a tool that its part of the build succeeded. */
export const PART_SUCCEEDED: readonly RegExp[] = [
  /^test result: ok|^\s*Finished (?:`\w+`|\w+\b).*(?:profile|target|\d\.\d+s)|^ok +\t?\S+\s+(?:\d+\.\d+s|\(cached\))/,
  /\b(?:0|no) (?:errors?|failures?|problems?|issues?|offenses?|vulnerabilities|violations)\b(?!.*\b[1-9]\d* (?:errors?|fail))/i,
  /^(?:#|ℹ) fail 0$|^# ok$|^OK \((?:skipped|expected failures)=|^Ran \d+ tests?(?:\.$| in \d)|^\[ {2}PASSED {2}\] [1-9]|^Finished '[^']{1,80}' after \d|^OK \(\d+ tests?|^100% tests passed|^[Aa]ll (?:checks|tests|files|specs|good|done|.{0,20}tests) (?:pass|match|use|clean|succe)|^All done!|^Success\b|^✨|^⚡ Done/,
  /\bExecuted (\d+) of \1 SUCCESS|^TOTAL: \d+ SUCCESS|\bunreachable=0\s+failed=0\b|^#\d+ (?:writing image|naming to) /,
  /^\s*(?:Tests?|Test Suites|Test Files):?\s+(?!.*fail).*\bpassed\b|^=*\s*\d+ passed\b(?!.*\b(?:failed|error))|^\s*\d+ passing\b|^\s{2}\d+ flaky$|Passed!\s+- Failed:\s+0/,
  /\bsuccessfully\b(?! (?:canceled|failed))|\bSuccessfully \w+|^\s*Done in \d|\bbuilt in \d|^added \d+ packages|^up to date|^Apply complete|^audited \d+|\bsucceeded\b/,
  // kubectl, for each object: any command that failed before was allowed to
  /^[a-z][a-z0-9.-]*\/[a-z0-9][\w.-]* (?:created|configured|unchanged|deleted|patched|scaled|restarted|labeled|annotated|condition met)(?: \((?:server )?dry run\))?$/,
];

/** Lines with which tools say that they fail because of warnings. */
export const WARNINGS_ARE_ERRORS =
  /\bwarnings found and -Werror specified|^Treating warnings as errors because|\b[Ww]arnings?,? treated as errors?\b|^Aborted with \d+ warnings? in strict mode|\bdue to warnings while using the --warnings-as-errors\b|^build finished with problems, \d+ warnings?|^%Error: Exiting due to \d+ warning|^ESLint found too many warnings\b/;

/** Reports of a build service that a step failed. Only clean-up follows. */
const STEP_FAILED =
  /^(?:Error: |ERROR: )?(?:Process completed with exit code [1-9]|Job failed: exit|The process '.+' failed with exit code|Bash exited with code '[1-9]|Exited with code exit status [1-9]|The command ".*" exited with [1-9]|Build step '.+' (?:marked build as failure|changed build result to FAILURE)|script returned exit code [1-9])/;

export function endsFailedStep(text: string): boolean {
  return STEP_FAILED.test(text);
}
