import { expect, it } from "vitest";
import { findingsIn } from "../cases.ts";

const messages = (path: string, text: string) =>
  findingsIn(path, text, { rules: { only: ["tls-verification-disabled"] } }).map(
    ({ line, message }) => `${line} ${message}`,
  );
const CERTIFICATE =
  "The server's certificate is not verified, so anyone on the way can stand in for the server.";

it("a finding names an option that is not on the line that its list begins on", () => {
  const list = [
    "<?php",
    "$client->post($url, ['curl' => [",
    "  CURLOPT_HEADER => true,",
    "  CURLOPT_SSL_VERIFYPEER => false,",
    "]]);",
  ];
  expect(messages("a.php", list.join("\n"))).toEqual([`2 CURLOPT_SSL_VERIFYPEER: ${CERTIFICATE}`]);
  expect(messages("a.ts", "connect({ rejectUnauthorized: false });")).toEqual([`1 ${CERTIFICATE}`]);
});
