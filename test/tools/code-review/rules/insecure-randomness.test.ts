import { ruleCases } from "../cases.ts";

ruleCases("insecure-randomness", {
  javascript: {
    must: [
      "const sessionId = 'a' + Math.random();",
      "function makePassword() {\n  return Math.random().toString(36);\n}",
      "const token = Math.random().toString(36).slice(2);",
      "return Math.floor(Math.random() * 1e9);",
      "const bytes = crypto.pseudoRandomBytes(16);",
      "const { pseudoRandomBytes } = require('crypto');\nconst key = pseudoRandomBytes(16);",
    ],
    mustNot: [
      "const jitter = Math.random() * 100;",
      "const token = crypto.randomUUID();",
      "const token = crypto.randomBytes(16).toString('hex');",
      "const delay = base * (1 + Math.random());",
      "const colour = palette[Math.floor(Math.random() * palette.length)];",
      "// Math.random() would do for tokens",
      "const id = crypto.randomUUID();",
    ],
  },
  python: {
    must: [
      "token = ''.join(random.choice(chars) for _ in range(32))",
      "session_id = random.getrandbits(128)",
      "password = str(random.randint(0, 999999))",
      "token = ''.join(random.choice(letters) for _ in range(32))",
      "code = random.randint(100000, 999999)",
      "from random import randint\npin = randint(0, 9999)",
      "key = np.random.bytes(16)",
      "import random as rnd\nkey = rnd.getrandbits(128)",
    ],
    mustNot: [
      "sample = random.choice(rows)",
      "token = secrets.token_hex(16)",
      "code = random.SystemRandom().randint(0, 9)",
      "random.shuffle(colors)",
      "delay = random.uniform(0, jitter)",
    ],
  },
  go: {
    must: [
      "token := fmt.Sprint(rand.Int63())",
      "password := randSeq(rand.Intn(10))",
      'import "math/rand"\n\nfunc token() string {\n\treturn letters[rand.Intn(len(letters))]\n}',
      "token := rand.Int63()",
    ],
    mustNot: [
      'import "crypto/rand"\n\nfunc token(b []byte) {\n\trand.Read(b)\n}',
      'n, err := rand.Int(rand.Reader, max)\nimport "crypto/rand"',
    ],
  },
  java: {
    must: [
      "String code = RandomStringUtils.insecure().nextNumeric(6);",
      "String token = Long.toHexString(new Random().nextLong());",
      "int otp = new Random().nextInt(999999);",
      "Random random = new Random();",
      "String token = String.valueOf(new Random().nextLong());",
      "double value = Math.random();",
      "String password = RandomStringUtils.randomAlphanumeric(12);",
      "long id = ThreadLocalRandom.current().nextLong();",
    ],
    mustNot: [
      "String code = RandomStringUtils.secure().nextNumeric(6);",
      "new SecureRandom().nextBytes(salt);",
      "SecureRandom random = new SecureRandom();",
      "long delay = (long) (Math.random() * timeout);",
    ],
  },
  ruby: {
    must: ["token = rand(10**9)", "code = Random.rand(1_000_000)", "Random.new.bytes(16)"],
    mustNot: ["token = SecureRandom.hex(16)", "sleep_delay = rand(5)"],
  },
  php: {
    must: [
      "<?php\n$token = rand();",
      "<?php\n$code = mt_rand(100000, 999999);",
      "<?php\n$id = uniqid();",
      "<?php\nsrand(time());",
    ],
    mustNot: ["<?php\n$token = bin2hex(random_bytes(16));", "<?php\n$code = random_int(100000, 999999);"],
  },
  c: {
    must: [
      "srand(time(NULL));",
      "int value = rand();",
      "long n = random();",
      "double d = drand48();",
      "key[i] = rand_r(&seed);",
    ],
    mustNot: ["getrandom(buffer, sizeof buffer, 0);", "int randomise = 1;", "arc4random_buf(buffer, n);"],
  },
  cpp: {
    must: [
      "std::mt19937 generator(seed);",
      "int value = std::rand();",
      "std::default_random_engine engine;",
      "RtlRandomEx(&seed);",
    ],
    mustNot: ["std::random_device device;", "BCryptGenRandom(nullptr, buffer, size, flags);"],
  },
  csharp: {
    must: [
      "var random = new Random();",
      "Random random = new System.Random(seed);",
      "int code = Random.Shared.Next(1000000);",
    ],
    mustNot: [
      "var random = RandomNumberGenerator.Create();",
      "int value = RandomNumberGenerator.GetInt32(100);",
    ],
  },
  rust: {
    must: [
      "let mut rng = StdRng::seed_from_u64(42);",
      "let token = fastrand::u64(..);",
      "let mut rng = SmallRng::seed_from_u64(now);",
    ],
    mustNot: ["let mut rng = OsRng;", "let token: u128 = rand::rngs::OsRng.gen();"],
  },
  other: {
    must: ["let value = drand48()", "token = math.random(1000000)"],
    mustNot: [
      "let value = SecRandomCopyBytes(kSecRandomDefault, 16, &bytes)",
      "let value = SystemRandomNumberGenerator().next()",
    ],
  },
});
