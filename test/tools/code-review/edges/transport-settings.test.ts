import { describe, expect, it } from "vitest";
import { findingsIn } from "../cases.ts";

const severities = (line: string, path: string) =>
  findingsIn(path, line, { rules: { only: ["tls-verification-disabled"] } }).map(({ severity }) => severity);
const isReported = (line: string, path = "a.conf") => severities(line, path).length > 0;

/** Returns a setting in the notations of many kinds of files. */
const written = (name: string, value: string) => [
  `${name}=${value}`,
  `${name}:${value}`,
  `${name} = ${value}`,
  `${name}: ${value}`,
  `${name}  =  ${value}`,
  `${name}: "${value}"`,
  `${name}: '${value}'`,
];

describe("a TLS verification setting", () => {
  const verifying =
    "verify_ssl ssl_verify validate_certs verify_certs tls_verify sslverify ssl_verification verify-ssl ssl-verify verify_tls sslVerify validateCerts verifySsl".split(
      " ",
    );

  it.each(verifying)("%s is reported in every notation when off, but not when on", (name) => {
    const off = ["false", "no", "0", "off", "none", "False", "NO"].flatMap((value) => written(name, value));
    const quoted = [`"${name}": false`, `{"${name}": false}`, `{'${name}': 0`, `a: 1, ${name}: no`];
    expect([...off, ...quoted].filter((line) => !isReported(line))).toEqual([]);
    const on = ["true", "yes", "1", "on", "nobody"].flatMap((value) => written(name, value));
    const others = [
      `{"x${name}": false, "b": 1}`,
      `{"${name}x": false, "b": 1}`,
      `{"${name}":   false, "b": 1}`,
    ];
    expect([...on, ...others].filter((line) => isReported(line))).toEqual([]);
  });

  it.each([
    "insecure_skip_verify",
    "insecure-skip-tls-verify",
    "InsecureSkipVerify",
    "skip_tls_verify",
    "tls_skip_verify",
    "tls_insecure",
  ])("%s is reported in every notation when on, but not when off", (name) => {
    const on = ["true", "yes", "1", "TRUE"].flatMap((value) => written(name, value));
    expect([...on, `--${name}`, `--${name} a`].filter((line) => !isReported(line))).toEqual([]);
    expect(
      [`${name}: false`, `${name}: 10`, `{"${name}x": true, "b": 1}`, `${name}=no`].filter((l) =>
        isReported(l),
      ),
    ).toEqual([]);
  });
});

describe("a TLS command or configuration line", () => {
  it.each([
    ["a.sh", "curl -k https://a"],
    ["a.sh", "curl -sk https://a"],
    ["a.sh", "curl -skL https://a"],
    ["a.sh", "curl https://a --insecure"],
    ["a.sh", "curl https://a -k"],
    ["a.sh", "curl --proxy-insecure https://a"],
    ["a.sh", "curl -o b 'https://a' -k\\"],
    ["a.sh", "wget --no-check-certificate https://a"],
    ["a.sh", "git config --global http.sslVerify false"],
    ["a.sh", "git -c http.sslverify=false clone a"],
    ["a.sh", 'git config http.sslVerify "false"'],
    ["a.sh", "export GIT_SSL_NO_VERIFY=1"],
    ["a.sh", "export GIT_SSL_NO_VERIFY=true"],
    ["Dockerfile", "ENV GIT_SSL_NO_VERIFY 1"],
    ["a.yml", 'GIT_SSL_NO_VERIFY: "true"'],
    ["a.sh", "NODE_TLS_REJECT_UNAUTHORIZED=0 node a.js"],
    ["Dockerfile", "ENV NODE_TLS_REJECT_UNAUTHORIZED 0"],
    ["a.json", '"NODE_TLS_REJECT_UNAUTHORIZED": "0"'],
    ["a.sh", "PYTHONHTTPSVERIFY=0 python a.py"],
    ["a.sh", "npm config set strict-ssl false"],
    ["a.conf", "strict-ssl=false"],
    ["a.conf", 'strict-ssl "false"'],
    ["a.json", '"rejectUnauthorized": false'],
    ["a.json", '"a": "Server=b;TrustServerCertificate=True"'],
    ["a.json", '"a": "Server=b;TrustServerCertificate=yes;"'],
    ["a.sh", "pip install --trusted-host a b"],
    ["a.conf", "trusted-host = a"],
    ["a.sh", "apt-get install --allow-unauthenticated a"],
    ["a.sh", "yum install --nogpgcheck a"],
    ["a.conf", "gpgcheck=0"],
    ["a.conf", "gpgcheck = 0"],
    ["a.sh", "ssh -o StrictHostKeyChecking=no a"],
    ["a.conf", "StrictHostKeyChecking off"],
    ["a.ps1", "Invoke-WebRequest a -SkipCertificateCheck"],
    ["a.ps1", "[Net.A]::ServerCertificateValidationCallback = { return $true }"],
    ["a.conf", "ssl_protocols TLSv1 TLSv1.2;"],
    ["a.conf", "ssl_protocols TLSv1.2 TLSv1.1;"],
    ["a.conf", "ssl_protocols SSLv3;"],
    ["a.conf", "SSLProtocol +TLSv1"],
    ["a.conf", "SSLProtocol all -SSLv2"],
    ["a.sh", "curl --tlsv1.0 https://a"],
    ["a.sh", "curl --tlsv1 https://a"],
    ["a.sh", "curl --sslv3 https://a"],
    ["a.sh", "openssl s_client -ssl3 -connect a"],
    ["a.sh", "openssl s_client -tls1_1 -connect a"],
    ["a.sh", "wget --secure-protocol=TLSv1_1 https://a"],
    ["a.tf", 'min_tls_version = "1.0"'],
    ["a.tf", 'minimum_tls_version = "TLS1_0"'],
    ["a.tf", 'minimum_protocol_version = "TLSv1_2016"'],
    ["a.yml", "minTlsVersion: TLS10"],
    ["a.yml", "tlsMinVersion: VersionTLS10"],
    ["a.tf", 'ssl_policy = "ELBSecurityPolicy-TLS-1-0-2015-04"'],
    ["a.yml", "SslPolicy: ELBSecurityPolicy-2016-08"],
    ["a.ps1", "[Net.SecurityProtocolType]::Tls11"],
    ["a.ps1", "[Net.SecurityProtocolType]::Tls"],
    ["a.sh", "aws s3 ls --no-verify-ssl"],
    ["a.sh", "docker pull --tls-verify=false a"],
    ["a.sh", "wget --check-certificate=no a"],
    ["a.sh", "lftp -e 'set ssl:verify-certificate no'"],
    ["a.conf", "ssl_verify false"],
    ["a.conf", "proxy_ssl_verify off;"],
    ["a.conf", "grpc_ssl_verify  off;"],
    ["a.conf", "SSLProxyVerify none"],
    ["a.conf", "SSLVerifyClient none"],
    ["a.conf", "server a:443 ssl verify none"],
    ["a.conf", "ssl-min-ver TLSv1.1"],
    ["a.config", 'certificateValidationMode="None"'],
    ["a.config", 'revocationMode="NoCheck"'],
    ["Info.plist", "<key>NSAllowsArbitraryLoads</key><true/>"],
    ["Info.plist", "<key>NSAllowsArbitraryLoadsInMedia</key>\n<true/>"],
    ["Info.plist", "<key>NSExceptionAllowsInsecureHTTPLoads</key> <true />"],
    ["a.yml", "insecure: true"],
  ])("is reported in %s: %s", (path, line) => expect(severities(line, path)).toHaveLength(1));

  it.each([
    ["a.sh", "curl -K a https://b"],
    ["a.sh", "curl -o k https://a"],
    ["a.sh", "curl https://a | b -k"],
    ["a.sh", "curl https://a; b -k"],
    ["a.sh", "curl --insecured https://a"],
    ["a.sh", "mycurl -k a"],
    ["a.sh", "git config http.sslVerify true"],
    ["a.sh", "GIT_SSL_NO_VERIFY=0"],
    ["a.sh", "NODE_TLS_REJECT_UNAUTHORIZED=1"],
    ["a.sh", "PYTHONHTTPSVERIFY=1"],
    ["a.conf", "strict-ssl=true"],
    ["a.conf", "gpgcheck=1"],
    ["a.conf", "StrictHostKeyChecking yes"],
    ["a.conf", "StrictHostKeyChecking accept-new"],
    ["a.conf", "ssl_protocols TLSv1.2 TLSv1.3;"],
    ["a.conf", "ssl_protocols TLSv1.2; # TLSv1"],
    ["a.conf", "SSLProtocol all -SSLv3 -TLSv1"],
    ["a.sh", "curl --tlsv1.2 https://a"],
    ["a.tf", 'min_tls_version = "1.2"'],
    ["a.tf", 'min_tls_version = "1.05"'],
    ["a.tf", 'ssl_policy = "ELBSecurityPolicy-TLS13-1-2-2021-06"'],
    ["a.ps1", "[Net.SecurityProtocolType]::Tls12"],
    ["a.sh", "docker pull --tls-verify=true a"],
    ["a.conf", "proxy_ssl_verify on;"],
    ["a.conf", "SSLVerifyClient require"],
    ["a.conf", "ssl-min-ver TLSv1.2"],
    ["a.config", 'certificateValidationMode="PeerTrust"'],
    ["Info.plist", "<key>NSAllowsArbitraryLoads</key><false/>"],
    ["Info.plist", "<key>NSAllowsLocalNetworking</key><true/>"],
    ["a.yml", "insecure: false"],
    ["a.yml", "sslmode: require"],
  ])("is not reported in %s: %s", (path, line) => expect(severities(line, path)).toEqual([]));

  it("has severity info if it allows an unencrypted database connection", () => {
    const lines = ["disable", "allow"].flatMap((value) => written("sslmode", value));
    expect(lines.filter((line) => severities(line, "a.conf").join() !== "info")).toEqual([]);
    expect(severities("postgres://a/b?sslmode=disable", "a.yml")).toEqual(["info"]);
  });
});

describe("package installation without signature checks", () => {
  it.each([
    ["Dockerfile", "RUN apt-get install --allow-unauthenticated acme"],
    ["a.conf", 'APT::Get::AllowUnauthenticated "true";'],
    ["a.conf", "APT::Get::AllowUnauthenticated 1;"],
  ])("is reported in %s: %s", (path, line) => expect(isReported(line, path)).toBe(true));

  it("is not reported if the option is false", () =>
    expect(isReported('APT::Get::AllowUnauthenticated "false";')).toBe(false));
});
