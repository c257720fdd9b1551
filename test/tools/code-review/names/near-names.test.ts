import { describe, expect, it } from "vitest";
import { oldProtocolIn, protocolFault } from "../../../../src/tools/code-review/tls/protocols.ts";
import { switchOf } from "../../../../src/tools/code-review/tls/switch-names.ts";
import { edges } from "../edges.ts";

const words = (text: string) => text.split(" ");

describe("names of old TLS versions", () => {
  it.each(
    words(
      "SSLv3_method TLSv1_client_method wolfTLSv1_1_server_method SSL3_VERSION DTLS1_VERSION " +
        "PROTOCOL_TLSv1 VersionTLS10 CURL_SSLVERSION_TLSv1_0 CURL_SSLVERSION_MAX_TLSv1_1 " +
        "STREAM_CRYPTO_METHOD_SSLv3_CLIENT SP_PROT_TLS1 SP_PROT_SSL3_SERVER SECURE_PROTOCOL_ALL " +
        "WINHTTP_FLAG_SECURE_PROTOCOL_SSL3 tlsProtocol11 kSSLProtocolAll kTLSProtocol1Only " +
        "tls_protocol_version_TLSv10 kCFStreamSocketSecurityLevelSSLv3 GNUTLS_TLS1_0 " +
        "SSL_LIBRARY_VERSION_3_0 MBEDTLS_SSL_MINOR_VERSION_1 MBEDTLS_SSL_VERSION_TLS1_0 WOLFSSL_TLSV1 " +
        "NX_SECURE_TLS_VERSION_TLS_1_0 PROTO_SSLV3 SSLv3_METHOD",
    ),
  )("protocolFault() finds %s, but no longer name", (name) => {
    expect(protocolFault(name, "")).toBe("old");
    expect(protocolFault(`x${name}`, "")).toBeUndefined();
    expect(protocolFault(`${name}x`, "")).toBeUndefined();
  });

  it.each([
    ["Tls11", "SslProtocols", "old"],
    ["Tls11", "Colours", undefined],
    ["xTls11", "SslProtocols", undefined],
    ["Tls11x", "SslProtocols", undefined],
    ["Tls12", "SslProtocols", "pinned"],
    ["Tls12", "SslProtocolsList", undefined],
    ["Tls12", "MySslProtocols", undefined],
    ["xTls12", "SslProtocols", undefined],
    ["Tls12x", "SslProtocols", undefined],
    ["PROTOCOL_TLSv1_2", "", "pinned"],
    ["PROTOCOL_TLSv1_2x", "", undefined],
    ["xPROTOCOL_TLSv1_2", "", undefined],
    ["TLSv1_2_method", "", "pinned"],
    ["TLSv1_2_methods", "", undefined],
    ["xTLSv1_2_method", "", undefined],
  ])("protocolFault(%s, %s) is %s", (name, owner, fault) => expect(protocolFault(name, owner)).toBe(fault));

  it.each([
    ["TLSv1", "TLSv1"],
    ["tls1.1", "tls1.1"],
    ["TLSv1,TLSv1.2", "TLSv1"],
    ["TLSv1.2 +SSLv3", "+SSLv3"],
    ["TLSv1.2,TLSv1.3", undefined],
    ["TLSv1 is old", undefined],
    ["xTLSv1", undefined],
    ["TLSv1x", undefined],
    ["1.0", undefined],
    [`TLSv1,${"TLSv1.2,".repeat(30)}`, undefined],
  ])("oldProtocolIn(%j) is %s", (text, found) => expect(oldProtocolIn(text)).toBe(found));
});

describe("switchOf()", () => {
  it.each([
    ["allowSelfSigned", "loosening"],
    ["allow_selfsigned", "loosening"],
    ["acceptsAnyCertificate", "loosening"],
    ["trustServerCertificate", "loosening"],
    ["allowedSelfSigned", undefined],
    ["disallowSelfSigned", undefined],
    ["allowCertificate", undefined],
    ["insecureSkipVerify", "loosening"],
    ["noVerify", "loosening"],
    ["skipHost", undefined],
    ["skipHostVerification", "loosening"],
    ["ignoreCertificateErrors", "loosening"],
    ["verifyPeer", "verifying"],
    ["verifySsl", "verifying"],
    ["sslVerifyResult", undefined],
    ["verifyEmail", undefined],
    ["verify", undefined],
    ["peer", undefined],
    ["knownHost", undefined],
    [`verifySsl${"Peer".repeat(18)}`, undefined],
  ])("maps %s to %s", (name, kind) => expect(switchOf(name)).toBe(kind));
});

const of = (files: string, code: string, places: readonly string[]) => {
  for (const file of words(files)) edges("unsafe-html", file, [[code, ...places]]);
};

of("a.ejs a.html a.jst", "<p><%- a %></p>", ["1"]);
of("a.hbs a.mustache a.html", "<p>{{{ a }}}</p>", ["1"]);
of("a.twig a.njk a.html", "<p>{{ a | raw }}</p>", ["1"]);
of("a.vue", "<p>{{ a | raw }}</p>", []);
of("a.twig", "<p>{{ a | rawest }}</p>", []);
of("a.ejs", "<p><%- include('b') %></p>", []);
of("a.ejs", "<p><%= a %></p>", []);
of("a.hbs", "<p>{{ a }}</p>", []);
of("a.svelte", "<p>{@html a}</p>", ["1"]);
of("a.vue", "<p>{@html a}</p>", []);
of("a.svelte", "<p>{@html 'a'}</p>", []);
of("a.vue", '<p v-html="a"></p>', ["1"]);
of("a.vue", '<p v-html=""></p>', []);
of("a.vue", '<p data-v-html="a"></p>', []);

edges("unsafe-html", "b.ts", [
  ["nunjucks.configure({ autoescape: false });", "1"],
  ["nunjucks.configure({ autoescape: falsehood });"],
  ["nunjucks.configure({ autoescape: isfalse });"],
  ["Handlebars.compile(a, { noEscape: true });", "1"],
  ["Handlebars.compile(a, { noEscape: trueish });"],
  ["Handlebars.compile(a, { noEscape: false });"],
  ["serialize(a, { unsafe: true });", "1"],
  ["serialize(a, { unsafe: trueish });"],
  ["render(a, { unsafe: true });"],
  ["markdownIt({ html: true });", "1"],
  ["markdownIt({ html: trueish });"],
  ["page({ html: true });"],
]);
