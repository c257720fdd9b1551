/** Formats in which compilers for embedded systems, for hardware and of Fortran write a finding. */

const QUOTED = `"(?<file>[^"<>|]{1,300})"`;
const FILE = String.raw`(?<file>(?:[A-Za-z]:)?[^\s:()|*?"<>,;][^:()|*?"<>,;]{0,300}\.[A-Za-z]\w{0,15})`;
const OF_IAR = String.raw`(?<severity>fatal error|error|warning|remark)\[(?<code>\w{1,10})\]: (?<message>\S.*)`;

/** Tried before any others; named groups as in `Diagnostic`. A `number` is a code that stands behind the severity. */
export const COMPILER_FORMATS: readonly RegExp[] = [
  // those with EDG's front end (TI, Keil, Green Hills, Analog Devices), Sun: "file", line 12: error #20: message;
  // IBM: "file", line 12.5: 1506-045 (S) message
  new RegExp(
    String.raw`^(?:[\w.-]{1,30}: )?${QUOTED}, line(?: =)? (?<line>\d+)(?:(?:\.|, column(?: =)? | \(col\. )(?<column>\d+)\)?)?: +(?:(?<code>[a-z]{2}\d{3,5}:|\d{4}-\d{3}) )?(?:\{D\} )?(?:(?:(?<severity>(?:fatal |catastrophic |internal )?error|fatal|warning|remark|note)\b|\((?<letter>[IWESU])\)):? {0,2}(?:(?<number>#\d{1,5}(?:-\w)?|[A-Z]\d{3,5}[A-Z]?): +)?)?(?<message>\S.*)`,
    "i",
  ),
  new RegExp(
    String.raw`^(?:[\w.-]{1,30}: )?(?<severity>Error|Warning) in ${QUOTED}, line (?<line>\d+), column (?<column>\d+): (?<message>\S.*)`,
  ),
  // IAR: "file",12  Error[Pe020]: message; file(12) : Error[Pe020]: message; Error[Pe020]: message file 12
  new RegExp(String.raw`^${QUOTED},(?<line>\d+) {1,4}${OF_IAR}`, "i"),
  new RegExp(String.raw`^${FILE}\((?<line>\d+)(?:,(?<column>\d+))?\) ?: ${OF_IAR}`, "i"),
  new RegExp(
    String.raw`^${OF_IAR.replace(String.raw`\S.*`, String.raw`\S.*?`)} (?<file>(?:[A-Za-z]:)?[^\s":]+\.[A-Za-z]\w{0,5}) (?<line>\d+)$`,
    "i",
  ),
  // Borland: Error E2451 file 12: message; Watcom: file(12): Error! E1011: message; FreeBASIC: file(12) error 41: message
  new RegExp(
    String.raw`^(?<severity>Error|Warning|Fatal) (?<code>[EWF]\d{4}) ${FILE} (?<line>\d+): (?<message>\S.*)`,
  ),
  new RegExp(
    String.raw`^${FILE}\((?<line>\d+)\): (?<severity>Error|Warning)! (?<code>[EW]\d{3,4}): (?<message>\S.*)`,
  ),
  new RegExp(
    String.raw`^${FILE}\((?<line>\d+)\) (?<severity>error|warning) (?<code>\d{1,3})(?:\(\d\))?: (?<message>\S.*)`,
  ),
  // NVIDIA's HPC compilers, once PGI's: NVFORTRAN-S-0034-message (file: 12)
  /^(?:NV(?:FORTRAN|C|C\+\+)|PG(?:F77|F90|FTN|C|CC))-(?<letter>[ISWF])-(?<code>\d{4})-(?<message>\S.*?) \((?<file>[^():]+): (?<line>\d+)\)$/,
  // glslang: ERROR: file:12: message
  /^(?<severity>ERROR|WARNING): (?<file>[^\s:()]+\.(?:vert|frag|comp|geom|tesc|tese|glsl)):(?<line>\d+): (?<message>\S.*)/,
  // ANTLR: error(50): file:12:5: message
  new RegExp(
    String.raw`^(?<severity>error|warning)\((?<code>\d{1,4})\): ${FILE}:(?<line>\d+):(?<column>\d+): (?<message>\S.*)`,
  ),
  // Thrift: [ERROR:file:12] message
  new RegExp(String.raw`^\[(?<severity>ERROR|FAILURE|WARNING):${FILE}:(?<line>\d+)\] (?<message>\S.*)`),
  // Code::Blocks: file|12|error: message|
  new RegExp(
    String.raw`^(?:\|\|)?${FILE}\|(?<line>\d+)\|(?<severity>(?:fatal )?error|warning|note): (?<message>\S.*?)\|?$`,
  ),
  // TASKING: ctc E208: ["file" 12/5] message
  new RegExp(
    String.raw`^[a-z]\w{1,8} (?=(?<code>\w\d{3}):)(?<letter>[EFSWIR])\d{3}: \[${QUOTED} (?<line>\d+)(?:\/(?<column>\d+))?\] (?<message>\S.*)`,
  ),
  // Keil's C51: *** ERROR C141 IN LINE 12 OF file: message
  new RegExp(
    String.raw`^\*{3} (?<severity>ERROR|WARNING) (?<code>[A-Z]\d{2,3}) IN LINE (?<line>\d+) OF ${FILE}: (?<message>\S.*)`,
  ),
  // NAG's Fortran, Eclipse's builder: Fatal Error: file, line 12: message
  new RegExp(
    String.raw`^(?<severity>(?:Fatal |Runtime )?Error|Panic|Warning|Info|Questionable|Extension(?:\(\w+\))?|Obsolescent|Deleted feature used|Non-standard\(\w+\)): (?:file )?${FILE}, line (?<line>\d+): (?<message>\S.*)`,
  ),
  // ModelSim, Questa: ** Error: file(12): (vlog-2730) message, with the code before the file or behind it
  new RegExp(
    String.raw`^(?:# )?\*\* (?:(?<severity>Error|Fatal|Failure|Warning|Note)(?: \(suppressible\))?: (?:\((?<code>[a-z]+-\d+)\) )?|at )${FILE}\((?<line>\d+)\): (?:\((?<number>[a-z]+-\d+)\) )?(?<message>\S.*)`,
  ),
  // Quartus: Error (10161): message File: file Line: 12; Vivado: ERROR: [Synth 8-2715] message [file:12]
  /^\s*(?<severity>Error|Critical Warning|Warning) \((?<code>\d{4,6})\): (?<message>\S.*?) File: (?<file>\S.*?) Line: (?<line>\d+)$/,
  /^\s*(?<severity>Error|Critical Warning|Warning) \((?<code>\d{4,6})\): (?<message>\S.{0,80}? at (?<file>[^\s()]+\.\w{1,8})\((?<line>\d+)\).*)$/,
  /^(?<severity>ERROR|CRITICAL WARNING|WARNING): \[(?<code>\w+ [\d-]+)\] (?<message>\S.*?) \[(?<file>(?:[A-Za-z]:)?[^[\]:]+):(?<line>\d+)\]$/,
  // Cadence: xmvlog: *E,EXPSMC (file,12|5): message
  new RegExp(
    String.raw`^\w{2,12}: \*(?<letter>[EFW]),(?<code>\w{3,8}) \(${FILE},(?<line>\d+)\|(?<column>\d+)\): (?<message>\S.*)`,
  ),
];
