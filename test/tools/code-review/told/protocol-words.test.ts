import { describe, expect, it } from "vitest";
import type { RuleId, Severity } from "../../../../src/tools/code-review/finding.ts";
import { findingsIn } from "../cases.ts";
import { partlyKnown } from "../whole-names/whole-names.ts";

/** Code, its severity and what the message must name, whatever the wording. */
type Told = [path: string, code: string, severity: Severity, names: RegExp];

function told(rule: RuleId, rows: readonly Told[]): void {
  describe(rule, () => {
    it.each(rows)("reports in %s %j with severity %s and message %s", (path, code, severity, names) => {
      expect(findingsIn(path, code, { rules: { only: [rule] } })).toEqual([
        expect.objectContaining({ severity, message: expect.stringMatching(names) }),
      ]);
    });
    it("matches names only as a whole", () => {
      const examples = rows.map(([path, code]) => ({ rule, path, code }));
      expect(partlyKnown(examples).partly).toEqual([]);
    });
  });
}

told("weak-cryptography", [
  ["a.php", "<?php md5($a);", "warning", /^md5 .* hash/],
  ["a.php", "<?php md5_file($a);", "info", /^md5_file .* hash/],
  ["a.c", "EVP_rc4();", "warning", /^EVP_rc4 .* cipher/],
  ["a.rb", "a(:ECB)", "warning", /^ECB .* mode/],
  ["A.cs", "new HMACMD5(a);", "info", /^HMACMD5 .* authentication/],
  ["a.c", "SHA_Init(a);", "warning", /SHA-1/],
  ["a.rb", "OpenSSL::PKey::DSA.new(1024)", "warning", /1024 bits/],
  ["a.c", "f(in, out, rsa, RSA_NO_PADDING);", "warning", /padding/],
  ["a.php", "<?php crypt($a);", "warning", /crypt\(\).*DES/],
  ["a.go", "elliptic.P224()", "warning", /^P224 .* curve/],
  ["a.c", "f(kSecAttrKeyTypeDES);", "warning", /cipher/],
  ["a.py", "PBKDF2(p, s, count=1000)", "warning", /^1000 iterations/],
  ["A.cs", "aes.IV = new byte[16];", "warning", /initialisation vector/],
  ["a.py", "crypt.crypt(a, crypt.METHOD_MD5)", "warning", /^Passwords/],
  ["a.go", "rsa.EncryptPKCS1v15(a, b, c)", "warning", /^EncryptPKCS1v15 .*OAEP/],
  ["A.cs", "a = CipherMode.CFB;", "warning", /^CipherMode\.CFB .*AesGcm/],
  ["A.java", 'Cipher.getInstance("RSA/ECB/NoPadding");', "warning", /NoPadding .*padding/],
  ["A.java", "new NullCipher();", "warning", /^Nothing is encrypted/],
  ["a.py", "bcrypt.gensalt(4)", "warning", /4 rounds.* 10/],
  ["A.java", "Algorithm.none();", "warning", /without a signature/],
  ["a.go", "blowfish.NewCipher(k)", "warning", /^blowfish .* cipher/],
  ["a.go", "tea.NewCipher(k)", "warning", /^tea is broken/],
  ["a.go", "dsa.GenerateParameters(p, r, dsa.L1024N160)", "warning", /^DSA keys/],
  ["a.go", "bcrypt.GenerateFromPassword(a, bcrypt.MinCost)", "warning", /^MinCost .*DefaultCost/],
  ["a.go", "a(tls.TLS_RSA_WITH_3DES_EDE_CBC_SHA)", "warning", /suite TLS_RSA_WITH_3DES/],
  ["a.py", "algorithms.IDEA(k)", "warning", /^IDEA is an outdated cipher/],
  ["a.ts", "jwt.decode(t, k, true);", "warning", /signature is not verified/],
  ["a.ts", "JWT.verify(t, JWK.None);", "error", /without a signature/],
  ["a.ts", "CryptoJS.Rabbit.encrypt(a);", "warning", /^Rabbit .* stream/],
  ["a.ts", "argon2.hash(p, { type: argon2.argon2d });", "warning", /^argon2d .*Argon2id/],
  ["a.ts", "crypto.getDiffieHellman('modp2');", "warning", /^modp2 .*modp14/],
  ["a.ts", "crypto.createDecipheriv('aes-256-gcm', k, iv);", "info", /authTagLength/],
  ["a.php", "<?php openssl_sign($d, $s, $k, OPENSSL_ALGO_SHA1);", "warning", /signature/],
  ["a.sh", "openssl rc4 -e", "warning", /cipher/],
  ["a.sh", "openssl genrsa 512", "warning", /length/],
  ["a.sh", "openssl md5 a", "warning", /hash/],
  ["a.sh", "ssh-keygen -t dsa", "warning", /^Keys/],
  ["a.sh", "htpasswd -m a", "warning", /^Passwords/],
  ["a.sh", "openssl passwd -1 a", "warning", /^Passwords/],
  ["a.ps1", "New-Cert -KeyLength 1024", "warning", /key or signature/],
  ["a.sh", "gpg --cipher-algo 3DES", "warning", /outdated/],
  ["a.ps1", "[Security.Cryptography.MD5]::Create()", "warning", /^The algorithm is broken/],
  ["A.cs", "aes.KeySize = 64;", "warning", /^A key of 64 bits/],
  ["a.py", 'context.set_ciphers("RC4-SHA")', "warning", /lets RC4-SHA in/],
  ["A.cs", "class A : HashAlgorithm { }", "warning", /one's own/],
  ["A.java", "JWT.decode(a);", "warning", /JWT\.decode\(\)/],
  ["A.java", "r = new Random(); r.nextBytes(k); new SecretKeySpec(k, a);", "warning", /^SecretKeySpec/],
  ["a.py", 'from Crypto.Cipher import AES\nAES.new("", AES.MODE_GCM)', "warning", /key is empty/],
  ["a.config", '<machineKey decryption="DES"/>', "warning", /machine key/],
  ["a.config", '<a passwordFormat="Clear"/>', "warning", /^Passwords/],
  ["a.config", '<a Algorithm="b#rsa-sha1"/>', "warning", /signature or encryption/],
]);

told("tls-verification-disabled", [
  ["a.swift", "a(TLSv10)", "warning", /^TLSv10 is broken/],
  ["a.py", "context.verify_mode = ssl.CERT_NONE", "warning", /certificate is not verified/],
  ["a.py", "context.check_hostname = False", "warning", /name .* not compared/],
  ["a.conf", "ssl-min-ver SSLv3", "warning", /version of SSL or TLS/],
  ["a.ts", "a(constants.SSL_OP_LEGACY_SERVER_CONNECT);", "warning", /^Renegotiation/],
  ["a.cpp", "conf.setProtocol(QSsl::AnyProtocol);", "warning", /are admitted/],
  ["a.go", "grpc.Dial(a, grpc.WithInsecure())", "info", /neither encrypted/],
  ["a.ts", "c({ checkServerIdentity: () => {} });", "error", /always says yes/],
  ["A.java", 'System.setProperty("com.sun.net.ssl.checkRevocation", "false");', "warning", /withdrawn/],
  ["a.conf", "sslmode=allow", "info", /database/],
  ["A.cs", "a = (SecurityProtocolType)768;", "warning", /number 768/],
  ["a.c", "SSL_CTX_new(TLSv1_2_method());", "info", /^TLSv1_2_method keeps/],
  ["a.py", "connect(h, known_hosts=None)", "warning", /host key/],
  ["a.py", "client.set_missing_host_key_policy(WarningPolicy)", "warning", /Unknown host keys/],
  ["a.conf", "trusted-host=a", "warning", /Packages of this host/],
  ["a.conf", "gpgcheck=0", "warning", /who signed/],
  ["Info.plist", "<key>NSAllowsArbitraryLoads</key><true/>", "warning", /in the clear/],
  ["a.conf", "StrictHostKeyChecking no", "warning", /host key/],
  ["A.java", "new DefaultHttpClient();", "info", /^DefaultHttpClient .*HttpClientBuilder/],
  [
    "a.go",
    "grpc.WithTransportCredentials(insecure.NewCredentials())",
    "warning",
    /not encrypted, and nobody/,
  ],
]);

told("unsafe-deserialization", [
  ["a.php", "<?php unserialize($_GET['a']);", "error", /unserialize\(\) .* class/],
  ["A.cs", "a = TypeNameHandling.All;", "warning", /types/],
  ["A.cs", "new XmlSerializer(Type.GetType(name));", "warning", /which type/],
  ["A.cs", "void F(string a) { new XmlTextReader(a); }", "warning", /external entities of a parameter/],
  ["a.py", "load_model(path, safe_mode=False)", "warning", /load_model\(\) .* functions/],
  ["a.py", 'app.conf.update(accept_content=["pickle"])', "warning", /pickle/],
  ["a.rb", "config.action_dispatch.cookies_serializer = :hybrid", "warning", /Marshal/],
  ["a.py", "server.register_instance(it, allow_dotted_names=True)", "warning", /any attribute/],
]);

told("hardcoded-secret", [
  ["a.py", 'Fernet("hush")', "error", /key of Fernet\(\)/],
  ["a.ts", 'session({ secret: "hush" });', "error", /secret of session\(\)/],
  ["a.ts", 'passport.use({ clientSecret: "hush" });', "error", /clientSecret of use\(\)/],
  ["a.yml", 'password: "S3cure!pass"', "error", /value of "password"/],
  ["a.sh", "sshpass -p 'S3cure' ssh host", "error", /password for sshpass/],
  [".npmrc", "_auth = stvtaW46YWRtaW4=", "error", /package registry/],
  ["a.md", "Open https://admin:Adm1n!pw@host.internal/", "warning", /password of an address/],
  ["shadow", "root:$6$abc:17431:0:99999:7:::", "error", /shadow file/],
]);
