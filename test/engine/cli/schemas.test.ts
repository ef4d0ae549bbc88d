import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import * as z from "zod";
import { serviceJson } from "../../../src/engine/cli/service-schema.ts";
import { statusJson } from "../../../src/engine/cli/status-schema.ts";
import { usageJson } from "../../../src/engine/cli/usage-schema.ts";

const shapes = { status: statusJson, usage: usageJson, "service status": serviceJson };

for (const [command, shape] of Object.entries(shapes)) {
  const [name = ""] = command.split(" ");
  const place = fileURLToPath(new URL(`../../../media/schemas/${name}.schema.json`, import.meta.url));

  it(`media/schemas tells what \`purser ${command} --json\` prints; UPDATE_GOLDEN=1 writes it again`, async () => {
    const style = { ...(await resolveConfig(place)), filepath: place };
    const schema = await format(JSON.stringify(z.toJSONSchema(shape)), style);
    if (process.env["UPDATE_GOLDEN"] === "1") {
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, schema);
    }
    assert.equal(readFileSync(place, "utf8"), schema);
  });
}
