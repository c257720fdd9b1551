import { describe, expect, it } from "vitest";
import { oldProtocolIn, protocolFault } from "../../../../src/tools/code-review/tls/protocols.ts";
import { switchOf } from "../../../../src/tools/code-review/tls/switch-names.ts";
import { switchedOff } from "../../../../src/tools/code-review/tls/switches.ts";

describe("old and pinned TLS versions", () => {
  it.each(
    "SSLv3_method DTLSv1_client_method wolfTLSv1_1_server_method TLSv1_method_ex SSL3_VERSION TLS1_1_VERSION PROTOCOL_TLSv1 PROTOCOL_SSLv2 VersionSSL30 VersionTLS10 VersionTLS11 CURL_SSLVERSION_TLSv1_0 CURL_SSLVERSION_MAX_TLSv1_1 STREAM_CRYPTO_METHOD_TLSv1_0_CLIENT SP_PROT_TLS1_CLIENT SP_PROT_SSL3 WINHTTP_FLAG_SECURE_PROTOCOL_SSL3 SECURE_PROTOCOL_ALL sslProtocol3 tlsProtocol11 kSSLProtocol3Only kTLSProtocol1 tls_protocol_version_TLSv10 .TLSv11 kCFStreamSocketSecurityLevelSSLv3 GNUTLS_TLS1_0 SSL_LIBRARY_VERSION_3_0 MBEDTLS_SSL_MINOR_VERSION_1 MBEDTLS_SSL_VERSION_TLS1_1 WOLFSSL_TLSV1 NX_SECURE_TLS_VERSION_TLS_1_0 PROTO_TLSV1 TLSv1_METHOD".split(
      " ",
    ),
  )("protocolFault(%s) is old, whatever its owner", (name) => {
    for (const owner of ["", "Colours", "context"]) {
      expect([owner, protocolFault(name, owner)]).toEqual([owner, "old"]);
    }
  });

  it.each(
    "TLSv1_2_METHOD TLS_method SSL_VERSION PROTOCOL_TLS VersionTLS12 VersionTLS13 CURL_SSLVERSION_TLSv1_2 TLS1_2_VERSION tlsProtocol12 kTLSProtocol12 GNUTLS_TLS1_2 SSLv3_methods xSSL3_VERSION".split(
      " ",
    ),
  )("protocolFault(%s) is undefined", (name) => expect(protocolFault(name, "")).toBeUndefined());

  it("protocolFault() judges a member by its owner", () => {
    for (const owner of ["SslProtocols", "tls", "Protocol", "context", "Version"]) {
      expect([owner, protocolFault("Tls11", owner)]).toEqual([owner, "old"]);
    }
    expect(protocolFault("sslv3_client", "context")).toBe("old");
    expect(protocolFault("Tls11", "Colours")).toBeUndefined();
    expect(protocolFault("Tls12", "SslProtocols")).toBe("pinned");
    expect(protocolFault("tlsv12", "context")).toBe("pinned");
    expect(protocolFault("Tls12", "myprotocols")).toBeUndefined();
    expect(protocolFault("None", "SslProtocols")).toBeUndefined();
  });

  it.each(["TLSv1_2_method", "DTLSv1_2_client_method", "PROTOCOL_TLSv1_2", "CURL_SSLVERSION_MAX_TLSv1_2"])(
    "protocolFault(%s) is pinned",
    (name) => expect(protocolFault(name, "")).toBe("pinned"),
  );

  it.each<[string, string | undefined]>([
    ["TLSv1", "TLSv1"],
    ["SSLv3", "SSLv3"],
    ["TLS 1.0", "TLS 1.0"],
    ["tls1.1", "tls1.1"],
    ["TLSv1_method", "TLSv1_method"],
    ["TLSv1.2,TLSv1.1", "TLSv1.1"],
    ["TLSv1.2 SSLv3", "SSLv3"],
    ["+SSLv3:TLSv1.2", "+SSLv3"],
    ["TLSv1.2", undefined],
    ["TLSv1.2,TLSv1.3", undefined],
    ["we dropped TLSv1 long ago", undefined],
    ["TLSv1 or newer", undefined],
    ["plain", undefined],
    [`TLSv1,${"TLSv1.2,".repeat(30)}`, undefined],
  ])("oldProtocolIn(%j) is %s", (text, expected) => expect(oldProtocolIn(text)).toBe(expected));
});

describe("switchOf()", () => {
  it.each(
    "sslVerify verify_ssl verifyPeer ssl_verify_host checkHostname validateCertificate sslStrict enforceTls verifyssl tlsValidate checkServerIdentity verifyPeerName cert_verification validateCertificateChain".split(
      " ",
    ),
  )("classifies %s as verifying", (name) => expect(switchOf(name)).toBe("verifying"));

  it.each(
    "insecureSkipVerify skipTlsVerify noVerify tlsInsecure ignoreSslErrors disableCertificateValidation allowSelfSigned acceptAnyCertificate trustServerCertificate acceptInvalidCerts dangerAcceptInvalidHostnames disableSslCheck skipHostVerify allowExpiredCertificates bypassTls".split(
      " ",
    ),
  )("classifies %s as loosening", (name) => expect(switchOf(name)).toBe("loosening"));

  it.each(
    "verified verifyEmail sslPort tlsVersion checkbox hostname skipHost noPeer validate certificatePath verifyPassword tlsStatus allowAll trustLevel ssl verifyButtonCertificate skipTests aVeryLongNameOfASettingThatVerifiesTlsCertificates".split(
      " ",
    ),
  )("does not classify %s", (name) => expect(switchOf(name)).toBeUndefined());

  it("ignores an overlong name", () => {
    expect(switchOf(`verifySsl${"x".repeat(72)}`)).toBeUndefined();
  });
});

describe("switchedOff()", () => {
  const [certificate, host] = [/certificate is not verified/, /host|name/i];

  it.each<[string, string, RegExp | undefined]>([
    ["verifySsl", "false", certificate],
    ["verifySsl", "true", undefined],
    ["insecureSkipVerify", "true", certificate],
    ["insecureSkipVerify", "false", undefined],
    ["checkHostname", "false", host],
    ["rejectUnauthorized", "false", certificate],
    ["rejectUnauthorized", "true", undefined],
    ["NODE_TLS_REJECT_UNAUTHORIZED", "0", certificate],
    ["CURLOPT_SSL_VERIFYPEER", "0", certificate],
    ["CURLOPT_SSL_VERIFYPEER", "1", undefined],
    ["CURLOPT_SSL_VERIFYHOST", "0", host],
    ["CURLOPT_SSL_VERIFYHOST", "1", host],
    ["CURLOPT_SSL_VERIFYHOST", "2", undefined],
    ["CURLOPT_SSLVERSION", "3", /TLS 1\.2 is the least/],
    ["CURLOPT_SSLVERSION", "6", undefined],
    ["endpointIdentificationAlgorithm", "", host],
    ["endpointIdentificationAlgorithm", "HTTPS", undefined],
    ["NSAllowsArbitraryLoads", "true", certificate],
    ["validatesDomainName", "false", host],
    ["kCFStreamSSLValidatesCertificateChain", "false", certificate],
    ["StrictHostKeyChecking", "no", /host/i],
    ["StrictHostKeyChecking", "yes", undefined],
    ["colour", "false", undefined],
  ])("decides whether %s = %s turns a check off", (name, value, message) => {
    const found = switchedOff(name, value);
    if (message) expect(found).toMatch(message);
    else expect(found).toBeUndefined();
  });
});
