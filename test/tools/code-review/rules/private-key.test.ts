import { ruleCases } from "../cases.ts";
import { alphanumeric, hexadecimal } from "./tokens.ts";

const begin = (kind = "") => `-----BEGIN ${kind}PRIVATE KEY-----`;
const end = (kind = "") => `-----END ${kind}PRIVATE KEY-----`;
const block = (kind = "") => `${begin(kind)}\n${alphanumeric(64)}\n${alphanumeric(64)}\n${end(kind)}`;

ruleCases("private-key", {
  text: {
    file: "server.key",
    must: [
      block(),
      block("RSA "),
      block("EC "),
      block("OPENSSH "),
      block("ENCRYPTED "),
      `-----BEGIN PGP ${"PRIVATE KEY BLOCK-----"}\nVersion: GnuPG v2\n\n${alphanumeric(64)}`,
      `PuTTY-User-Key-File-3: ssh-ed25519`,
      `DOTENV_PRIVATE_KEY="${hexadecimal(64)}"`,
    ],
    mustNot: [
      "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAvx",
      `${begin()}\nxxx\n${end()}`,
      `${begin()}\n<your key>\n${end()}`,
      `DOTENV_PUBLIC_KEY="${hexadecimal(64)}"`,
    ],
  },
  javascript: {
    must: [`const key = "${begin()}\\n${alphanumeric(64)}\\n${end()}";`, `const key = \`${block("RSA ")}\`;`],
    mustNot: [`if (text.includes("${begin()}")) {\n  warn();\n}`, "const key = readFileSync('server.key');"],
  },
  yaml: {
    must: [`key: |\n  ${begin()}«here»\n  ${alphanumeric(64)}\n  ${end()}`],
    mustNot: [`key: |\n  ${begin()}\n  \${PRIVATE_KEY}\n  ${end()}`],
  },
});
