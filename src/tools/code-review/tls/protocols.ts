/** Versions of SSL and TLS that RFC 7568 and RFC 8996 forbid, as libraries name them. */
const IDENTIFIERS: readonly RegExp[] = [
  // OpenSSL, wolfSSL and their bindings
  /^(?:wolf)?D?(?:SSLv2|SSLv3|TLSv1|TLSv1_1)_(?:client_|server_)?method(?:_ex)?$/,
  /^(?:SSL2|SSL3|TLS1|TLS1_1|DTLS1)_VERSION$/,
  /^PROTOCOL_(?:SSLv2|SSLv3|TLSv1|TLSv1_1)$/,
  // Go
  /^Version(?:SSL30|TLS10|TLS11)$/,
  // curl, PHP streams
  /^CURL_SSLVERSION_(?:MAX_)?(?:SSLv2|SSLv3|TLSv1|TLSv1_0|TLSv1_1)$/,
  /^STREAM_CRYPTO_METHOD_(?:ANY|SSLv2|SSLv3|SSLv23|TLSv1_0|TLSv1_1)_(?:CLIENT|SERVER)$/,
  // Windows
  /^SP_PROT_(?:PCT1|SSL2|SSL3|TLS1|TLS1_0|TLS1_1)(?:_(?:CLIENT|SERVER))?$/,
  /^(?:WINHTTP_FLAG_SECURE_PROTOCOL|SECURE_PROTOCOL)_(?:SSL2|SSL3|TLS1|TLS1_1|ALL)$/,
  // Apple
  /^(?:sslProtocol[23]|tlsProtocol1|tlsProtocol11)$/,
  /^k(?:SSLProtocol(?:2|3|3Only|All)|TLSProtocol(?:1|1Only|11))$/,
  /^(?:tls_protocol_version_|\.?D?)(?:TLSv10|TLSv11|DTLSv10)$/,
  /^(?:kCFStreamSocketSecurityLevel|NSStreamSocketSecurityLevel)(?:SSLv2|SSLv3|TLSv1)$/,
  // GnuTLS, NSS, Mbed TLS
  /^GNUTLS_(?:SSL3|TLS1|TLS1_0|TLS1_1)$/,
  /^SSL_LIBRARY_VERSION_(?:2|3_0|TLS_1_0|TLS_1_1)$/,
  /^MBEDTLS_SSL_(?:MINOR_VERSION_[012]|VERSION_(?:SSL3|TLS1_[01]))$/,
  /^WOLFSSL_(?:SSLV3|TLSV1|TLSV1_1)$/,
  /^NX_SECURE_TLS_VERSION_TLS_1_[01]$/,
  // POCO, PyOpenSSL, Rust's openssl
  /^PROTO_(?:SSLV2|SSLV3|TLSV1|TLSV1_1)$/,
  /^(?:SSLv2|SSLv3|TLSv1|TLSv1_1)_METHOD$/,
];

/** Names that need their owner to mean a version: `SslProtocols.Tls`, `Protocol::Tlsv10`, `context::sslv3`. */
const MEMBERS =
  /^(?:SSLv2|SSLv3|SslV2|SslV3|Sslv3|Ssl2|Ssl3|SSL3|TLSv1|TLSv1_0|TLSv1_1|TlsV1_0|TlsV1_1|TlsV1SslV3|Tlsv10|Tlsv11|TLSv10|TLSv11|Tls|Tls10|Tls11|TLSV1|TLSV1_0|TLSV1_1|TLS1_0|TLS1_1|TLS_1_0|TLS_1_1|TLS10|TLS11|TLSv1_0_OR_LATER|sslv2|sslv2_client|sslv2_server|sslv3|sslv3_client|sslv3_server|tlsv1|tlsv1_client|tlsv1_server|tlsv11|tlsv11_client|tlsv11_server|TLS_V1_0|TLS_V1_1|TLS_V10|TLS_V11|TLS1|sslProtocol2|sslProtocol3|tlsProtocol1|tlsProtocol11)$/;
const OWNERS = /ssl|tls|protocol|context|version|security/i;

/** Strings that name a forbidden version. */
const SPECS =
  /^(?:\+?(?:SSLv?2|SSLv?3|SSLv2Hello|TLSv1|TLSv1\.0|TLSv1\.1|TLSv1_1|TLS ?1\.[01]|TLS_?1_[01]|tls1[._][01]|tls1|tlsv10|tlsv11|tls10|tls11|dtlsv1)|(?:SSLv2|SSLv3|TLSv1|TLSv1_1)_(?:client_|server_)?method)$/i;

/** Pins to one version, which keeps newer ones out. */
const PINS =
  /^(?:wolf)?D?TLSv1_2_(?:client_|server_)?method$|^PROTOCOL_TLSv1_2$|^CURL_SSLVERSION_MAX_TLSv1_2$/;
const PINNED_MEMBERS = /^(?:Tls12|Tls13|TLSv1_2|tlsv12|tlsv12_client|tlsv12_server|TlsV1_2|Tlsv12)$/;

export type ProtocolFault = "old" | "pinned";

/** Returns what is wrong with the version that an identifier names. `owner` is the name before it, if any. */
export function protocolFault(name: string, owner: string): ProtocolFault | undefined {
  if (IDENTIFIERS.some((pattern) => pattern.test(name))) return "old";
  if (PINS.test(name)) return "pinned";
  if (!OWNERS.test(owner)) return undefined;
  if (MEMBERS.test(name)) return "old";
  return PINNED_MEMBERS.test(name) &&
    /^(?:SecurityProtocolType|SslProtocols|SecurityProtocol|context|method)$/.test(owner)
    ? "pinned"
    : undefined;
}

/** Returns the first forbidden version in a string that lists versions, such as `TLSv1,TLSv1.2`. */
export function oldProtocolIn(text: string): string | undefined {
  if (text.length > 200 || !/ssl|tls/i.test(text)) return undefined;
  if (SPECS.test(text)) return text;
  const parts = text.split(/[\s,:;|]{1,4}/);
  // A sentence about versions is not a list of them.
  if (
    parts.length < 2 ||
    !parts.every((part) => /^[+!-]?(?:SSL|TLS|DTLS)[\w.]{0,12}$/i.test(part) || part === "")
  )
    return undefined;
  return parts.find((part) => SPECS.test(part));
}

/** .NET's numbers for Ssl3, Tls and Tls11. */
export const OLD_NUMBERS = new Set(["48", "192", "768", "12", "240"]);
