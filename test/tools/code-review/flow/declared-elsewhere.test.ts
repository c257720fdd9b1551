import { describe, expect, it } from "vitest";
import { review } from "../../../../src/tools/code-review/review.ts";
import { added } from "../cases.ts";

/** Returns the lines of the first file that are reported, while the second is only there to be looked up. */
function reported(path: string, code: string, other: string, text: string, imports: Record<string, string>) {
  const { findings } = review({
    diff: added(path, code),
    files: [
      { path, content: code },
      { path: other, content: text },
    ],
    imports: { [path]: imports },
  });
  return findings.filter(({ file }) => file === path).map(({ line }) => line);
}

const IN_TYPESCRIPT = { "./inputs": "inputs.ts" };
const IN_PYTHON = { ".inputs": "inputs.py" };

describe("what another file declares of an input", () => {
  it("tells of a schema of zod which members are no free text", () => {
    const app = `import { exec } from "node:child_process";
import { Body } from "./inputs";
app.post("/", (req, res) => {
  const body = Body.parse(req.body);
  exec(\`ls \${body.n}\`);
  exec(\`ls \${body.s}\`);
});`;
    const inputs =
      'import { z } from "zod";\nexport const Body = z.object({ n: z.number(), s: z.string() });\n';
    expect(reported("app.ts", app, "inputs.ts", inputs, IN_TYPESCRIPT)).toEqual([6]);
    expect(reported("app.ts", app, "other.ts", inputs, {})).toEqual([5, 6]);
  });

  it("tells that a schema of Joi hands on what fits it", () => {
    const app = `import { exec } from "node:child_process";
import { Body } from "./inputs";
app.post("/", (req, res) => {
  const { error, value: given } = Body.validate(req.body);
  exec(\`ls \${given.n}\`);
  exec(\`ls \${given.s}\`);
});`;
    const inputs =
      'import Joi from "joi";\nexport const Body = Joi.object({ n: Joi.number(), s: Joi.string() });\n';
    expect(reported("app.ts", app, "inputs.ts", inputs, IN_TYPESCRIPT)).toEqual([6]);
  });

  it("tells of a class with decorators which fields are no free text", () => {
    const app = `import { exec } from "node:child_process";
import { RunDto } from "./inputs";
@Controller()
export class Runs {
  @Post()
  run(@Body() dto: RunDto) {
    exec(\`ls \${dto.port}\`);
    exec(\`ls \${dto.host}\`);
  }
}`;
    const inputs = `import { IsInt, IsString } from "class-validator";
export class RunDto {
  @IsInt() @Min(1) port: number;
  @IsString({ message: "no" }) host: string;
}`;
    expect(reported("app.ts", app, "inputs.ts", inputs, IN_TYPESCRIPT)).toEqual([8]);
  });

  it("tells of a model of Pydantic which members are no free text", () => {
    const app = `import os
from .inputs import Item
@app.post("/")
def run(item: Item):
    os.system(f"ls {item.n} {item.k}")
    os.system(f"ls {item.s}")
`;
    const inputs = `from typing import Literal, Optional
from pydantic import BaseModel
class Item(BaseModel):
    n: Optional[int]
    k: Literal["a", "b"] | None = None
    s: Optional[str]
`;
    expect(reported("app.py", app, "inputs.py", inputs, IN_PYTHON)).toEqual([6]);
  });

  it("tells of an enumeration that Python imports that its values are no free text", () => {
    const app = `import os
from .inputs import Kind, Other
@app.post("/")
def run(kind: Kind, name: str, other: Other):
    os.system("ls " + kind.value)
    os.system("ls " + Kind(name).value)
    os.system("ls " + other.value)
`;
    const inputs = 'from enum import Enum\nclass Kind(str, Enum):\n    A = "a"\nclass Other:\n    A = "a"\n';
    expect(reported("app.py", app, "inputs.py", inputs, IN_PYTHON)).toEqual([7]);
  });
});

describe("a schema that is exported by default, under another name, or by a file that hands it on", () => {
  const schema = 'import { z } from "zod";\nconst Body = z.object({ n: z.number(), s: z.string() });\n';
  const used = (from: string) => `import { exec } from "node:child_process";
import ${from};
app.post("/", (req, res) => {
  const body = Given.parse(req.body);
  exec(\`ls \${body.n}\`);
  exec(\`ls \${body.s}\`);
});`;

  it.each([
    ['Given from "./body"', `${schema}export default Body;`, {}],
    ['{ Body as Given } from "./body"', `${schema}export { Body };`, {}],
    [
      'Given from "./index"',
      `${schema}export { Body };`,
      { "index.ts": 'export { Body as default } from "./body";' },
    ],
    [
      '{ Given } from "./index"',
      `${schema}export { Body };`,
      { "index.ts": 'export { Body as Given } from "./body";' },
    ],
    [
      '{ Body as Given } from "./index"',
      `${schema}export { Body };`,
      { "index.ts": 'export * from "./body";' },
    ],
    [
      '{ Given } from "./index"',
      `${schema}export default Body;`,
      { "index.ts": 'import Body from "./body";\nexport { Body as Given };' },
    ],
  ])("is found by import %s", (from, body, others) => {
    const all = { "app.ts": used(from), "body.ts": body, ...others };
    const leads = { "./body": "body.ts", "./index": "index.ts" };
    const { findings } = review({
      diff: added("app.ts", all["app.ts"]),
      files: Object.entries(all).map(([path, content]) => ({ path, content: content as string })),
      imports: Object.fromEntries(Object.keys(all).map((path) => [path, leads])),
    });
    expect(findings.map(({ line }) => line)).toEqual([6]);
  });
});
