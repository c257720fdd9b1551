import type { Severity } from "../finding.ts";
import { CERTIFICATE, OLD } from "./messages.ts";

export const ADDRESS_LIKE = /ssl|tls|certificate|encrypt=/i;

/** Texts that configure databases, browsers and stream wrappers. */
export const ADDRESSES: readonly { form: RegExp; message: string; severity?: Severity }[] = [
  { form: /\bTrust_?\s?Server_?\s?Certificate\s{0,2}=\s{0,2}(?:true|yes)\b/i, message: CERTIFICATE },
  {
    form: /\b(?:verifyServerCertificate|validateServerCertificate|sslVerify|tlsVerify)=(?:false|0)\b/i,
    message: CERTIFICATE,
  },
  {
    form: /[?&;]tls(?:Insecure|AllowInvalidCertificates|AllowInvalidHostnames)=true\b/i,
    message: CERTIFICATE,
  },
  { form: /[?&](?:tls|ssl)=(?:skip-verify|preferred)\b/i, message: CERTIFICATE },
  { form: /[?&]ssl_cert_reqs=(?:none|CERT_NONE)\b/i, message: CERTIFICATE },
  {
    form: /^(?:--)?(?:ignore-certificate-errors(?:-spki-list)?|allow-insecure-localhost|ignore-ssl-errors)\b/,
    message: CERTIFICATE,
  },
  { form: /^(?:sslv[23]|tlsv1\.[01]):\/\//i, message: OLD },
  { form: /(?:^|:)\+VERS-(?:SSL3\.0|TLS1\.[01]|SSL-ALL|ALL|TLS-ALL)\b/, message: OLD },
  {
    form: /[?&;\s]sslmode=(?:disable|allow)\b|[?&;]useSSL=false\b|\b(?:Server|Data Source)=[^;]{1,200};[^"]{0,400}\bEncrypt=(?:false|no|optional)\b|[?&]ssl=false\b/i,
    message: "The connection to the database is not encrypted.",
    severity: "info",
  },
];
