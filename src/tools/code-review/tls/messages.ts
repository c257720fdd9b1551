/* What is said of more than one pattern. */

export const CERTIFICATE =
  "The server's certificate is not verified, so anyone on the way can stand in for the server.";
export const HOST = "The name in the server's certificate is not compared, so any certificate will do.";
export const HOST_KEY = "The other machine's host key is not verified.";
export const REVOKED = "Certificates that were withdrawn are taken for good.";
export const OLD = "This version of SSL or TLS is broken; TLS 1.2 is the least (RFC 8996).";
