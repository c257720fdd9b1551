/** What services' credentials look like, by their own prefixes, and what is assigned to a name that says so. */
const SECRETS = [
  /\b(?:gh[pousr]_|github_pat_|glpat-|npm_|pypi-|sk-|sk_live_|rk_live_|xox[abeoprs]-|hf_|tat_|trt_|tak_|dop_v1_|shpat_)[\w-]{16,255}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{35}/g,
  /\beyJ[\w-]{8,2000}\.[\w-]{8,2000}\.[\w-]{4,1000}/g,
  /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,100}:)[^\s:/@]{1,200}(?=@)/gi,
  /(?<=\b(?:Bearer|Basic|token) )[\w.~+/=-]{12,1000}/g,
  /(?<=(?:password|passwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)["']?\s?[:=]\s?["']?)[^\s"',;&)}\]]{6,200}/gi,
];

/** A line of a log without the secrets that slipped into it. */
export function maskSecrets(text: string): string {
  return SECRETS.reduce((masked, secret) => masked.replace(secret, "***"), text);
}
