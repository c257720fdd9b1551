import { edges } from "../edges.ts";

const reports = (rule: Parameters<typeof edges>[0], path: string, must: string[], mustNot: string[]) =>
  edges(rule, path, [...must.map((code) => [code, "1"] as const), ...mustNot.map((code) => [code] as const)]);

const inBody = (code: string) => `function f() { ${code} }`;

reports(
  "weak-cryptography",
  "a.ts",
  [
    "crypto.createCipher(a, b);",
    "crypto.createDecipher(a, b);",
    inBody("crypto.createDecipheriv('aes-256-gcm', k, iv, { authTagLength: 16 });"),
    inBody("const d = crypto.createDecipheriv('aes-256-gcm', k, iv); d.final();"),
    inBody("const d = crypto.createDecipheriv('aes-256-gcm', k, iv); if (a.length) d.final();"),
    inBody("const d = crypto.createDecipheriv('aes-256-ccm', k, iv, o);"),
    inBody("const d = crypto.createDecipheriv('chacha20-poly1305', k, iv, o);"),
    "CryptoJS.Rabbit.encrypt(a, b);",
    "crypto.getDiffieHellman('modp1');",
    "crypto.createDiffieHellmanGroup('modp5');",
    "jwt.sign(a, b, { algorithm: 'none' });",
    "jwt.verify(a, b, { algorithms: ['none'] });",
    "jwt.verify(a, b, { algorithms: ['NONE'] });",
    "jwt.decode(a, b, true);",
    "JWT.verify(a, JWK.None);",
    "tls.createServer({ ciphers: 'HIGH:RC4' });",
    "tls.createServer({ ciphers: 'ALL:HIGH' });",
    "tls.createServer({ ciphers: 'DES-CBC3-SHA' });",
    "tls.createServer({ ciphers: 'ECDHE-RSA-RC4-SHA:HIGH' });",
  ],
  [
    "crypto.createHmac(a, b);",
    inBody("const d = crypto.createDecipheriv('aes-256-gcm', k, iv, { authTagLength: 16 }); d.final();"),
    inBody("const d = crypto.createDecipheriv('aes-256-gcm', k, iv); if (tag.length !== 16) a(); d.final();"),
    inBody("const d = crypto.createDecipheriv('aes-256-gcm', k, iv); if (tag.byteLength) a(); d.final();"),
    inBody("const d = crypto.createDecipheriv('aes-256-cbc', k, iv);"),
    inBody("const d = crypto.createDecipheriv('aes-256-ccm', k, iv, o); d.final();"),
    inBody("const d = crypto.createDecipheriv(algorithm, k, iv);"),
    "crypto.createDecipheriv();",
    "other.Rabbit.encrypt(a, b);",
    "crypto.getDiffieHellman('modp14');",
    "crypto.getDiffieHellman('modp15');",
    "other('modp1');",
    "jwt.sign(a, b, { algorithm: 'HS256' });",
    "render(a, b, { algorithm: 'none' });",
    "jwt.decode(a, b, false);",
    "jwt.decode(a, true);",
    "JWT.verify(a, Other.None);",
    "tls.createServer({ ciphers: 'HIGH:!RC4' });",
    "tls.createServer({ ciphers: 'ALL:!aNULL' });",
    "tls.createServer({ ciphers: 'HIGH:!aNULL:!MD5' });",
    "tls.createServer({ names: 'HIGH:RC4' });",
  ],
);

reports(
  "weak-cryptography",
  "a.py",
  [
    "algorithms.IDEA(k)",
    "algorithms.SEED(k)",
    "algorithms.Blowfish(k)",
    "SHA.new(a)",
    "XOR.new(a)",
    "hasher = 'django.contrib.auth.hashers.MD5PasswordHasher'",
    "hasher = 'django.contrib.auth.hashers.UnsaltedSHA1PasswordHasher'",
    "crypt.crypt(a)",
    "crypt.crypt(a, 'ab')",
    "md5_crypt.hash(a)",
    "jwt.decode(a, b, options={'verify_signature': False})",
    "jwt.decode(a, verify=False)",
    "jwt.encode(a, b, algorithm='none')",
    "jwt.get_unverified_claims(a)",
  ],
  [
    "other.IDEA(k)",
    "algorithms.AES(k)",
    "SHA.old(a)",
    "hasher = 'django.contrib.auth.hashers.Argon2PasswordHasher'",
    "hasher = 'MD5PasswordHasher'",
    "crypt.crypt(a, '$6$b')",
    "crypt.crypt(a, '$2b$b')",
    "my.crypt(a)",
    "def md5_crypt(a): b",
    "jwt.decode(a, b, options={'verify_signature': True})",
    "jwt.decode(a, verify=True)",
    "render(a, verify=False)",
    "jwt.encode(a, b, algorithm='HS256')",
  ],
);

reports(
  "weak-cryptography",
  "A.java",
  [
    "new NullCipher();",
    "NoOpPasswordEncoder.getInstance();",
    "new StandardPasswordEncoder();",
    "class A extends MessageDigest { }",
    "class A extends CipherSpi { }",
    "DigestUtils.shaHex(a);",
    "DigestUtils.getMd5Digest();",
    "Algorithm.none();",
    "Jwts.builder().setSubject(a).compact();",
    "io.b.Jwts.builder().compact();",
    "JWT.decode(a);",
    "random = new Random(); random.nextBytes(k); new SecretKeySpec(k, a);",
  ],
  [
    "class NullCipher { }",
    "class A extends B { }",
    "class A extends MessageDigests { }",
    "new A(MessageDigest);",
    "Jwts.builder().signWith(a).compact();",
    "a.builder().compact();",
    "JWT.decode(a); verifier.verify(b);",
    "JWTs.decode(a);",
    "random = new SecureRandom(); random.nextBytes(k); new SecretKeySpec(k, a);",
    "random = new Random(); random.nextBytes(k); new SecretKeySpec(b, a);",
    "random = new Random(); new SecretKeySpec(k, a); random.nextBytes(k);",
  ],
);

reports(
  "weak-cryptography",
  "A.cs",
  [
    "class A : HashAlgorithm { }",
    "class A : SymmetricAlgorithm { }",
    "rsa.Encrypt(a, RSAEncryptionPadding.Pkcs1);",
    "new PasswordDeriveBytes(a, b);",
    "new TokenValidationParameters { RequireSignedTokens = false };",
    "new TokenValidationParameters { ValidateIssuerSigningKey = false };",
  ],
  [
    "rsa.Encrypt(a, RSAEncryptionPadding.OaepSHA256);",
    "rsa.Encrypt(a, Other.Pkcs1);",
    "new TokenValidationParameters { RequireSignedTokens = true };",
    "new TokenValidationParameters { ValidateLifetime = false };",
  ],
);
reports(
  "weak-cryptography",
  "a.go",
  [
    "bcrypt.MinCost",
    "elliptic.P224()",
    "rsa.EncryptPKCS1v15(a, b, c)",
    "tea.NewCipher(k)",
    "jwt.SigningMethodNone",
  ],
  [
    "other.MinCost",
    "bcrypt.DefaultCost",
    "elliptic.P256()",
    "other.P224()",
    "rsa.EncryptOAEP(a)",
    "tea.Other(k)",
  ],
);
reports(
  "weak-cryptography",
  "a.rs",
  ["Rc4::new(k)", "Blowfish::new_from_slice(k)", "Des::new(k)"],
  ["Aes256::new(k)"],
);
reports(
  "weak-cryptography",
  "a.rb",
  ["JWT.decode(a, b, false)", "JWT.decode a, nil, false"],
  ["JWT.decode(a, b, true)", "Other.decode(a, b, false)"],
);
reports(
  "weak-cryptography",
  "a.c",
  ["crypt(a, b);", 'crypt(a, "ab");', "RSA_public_encrypt(n, a, b, k, RSA_NO_PADDING);", "SHA_Init(a);"],
  [
    'crypt(a, "$5$ab");',
    "mycrypt(a, b);",
    "RSA_public_encrypt(n, a, b, k, RSA_PKCS1_OAEP_PADDING);",
    "SHA256_Init(a);",
  ],
);
