import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { benches } from "../../scripts/tasks/bench.ts";
import { generators } from "../../scripts/tasks/generate.ts";
import { suites } from "../../scripts/tasks/test.ts";
import rooms from "../../scripts/rooms.json" with { type: "json" };

const root = fileURLToPath(new URL("../..", import.meta.url));
const documents = [
  "README.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "test/README.md",
  "media/tasks/README.md",
  ...globSync(["media/guide/*.md", "doc/decisions/*.md"], { cwd: root }).map((file) =>
    file.replaceAll("\\", "/"),
  ),
];
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")));

function textOf(document: string): string {
  return readFileSync(path.join(root, document), "utf8");
}

/** The targets of a document's links within this repository. */
function linksIn(text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/gu)].map(([, target]) => target ?? "");
  return targets.filter((target) => !/^[a-z]+:/u.test(target));
}

/** The anchors of a page's headings. */
function anchorsIn(text: string): Set<string> {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gmu)].map(([, heading]) => heading ?? "");
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

describe("the documents", () => {
  for (const document of documents) {
    it(`${document} links to what is there`, () => {
      const links = linksIn(textOf(document));
      const lost = links.filter((link) => {
        const [file = "", anchor] = link.split("#");
        const target = path.posix.join(path.posix.dirname(document), file);
        const at = file === "" ? document : target;
        if (!existsSync(path.join(root, at))) return true;
        return anchor !== undefined && !anchorsIn(textOf(at)).has(anchor);
      });
      assert.deepEqual(lost, []);
    });

    it(`${document} names each linked file by its name`, () => {
      const links = [
        ...textOf(document).matchAll(/\[`?([\w.-]+\.(?:ts|mjs|json|yaml|css))`?\]\(([^)#\s]+)/gu),
      ];
      const wrong = links.filter(([, name, target = ""]) => path.posix.basename(target) !== name);
      assert.deepEqual(
        wrong.map(([, name, target]) => `${name} links to ${target}`),
        [],
      );
    });

    it(`${document} names tests that exist`, () => {
      // NAME stands for a panel's folder.
      const named = [...textOf(document).matchAll(/(?:test|scripts)\/[\w*/.-]+\.test\.ts/gu)];
      const files = named.map(([file]) => file.replace("/NAME/", "/guard/"));
      assert.deepEqual(
        files.filter((file) => globSync(file, { cwd: root }).length === 0),
        [],
      );
    });

    it(`${document} names scripts that can be run`, () => {
      const named = [...textOf(document).matchAll(/npm run ([a-z][a-z\d:]*)/gu)].map(
        ([, name]) => name ?? "",
      );
      assert.deepEqual(
        named.filter((name) => !(name in scripts)),
        [],
      );
    });
  }

  it("are all linked from the README, or from the list of decisions", () => {
    const linked = new Set(
      ["README.md", "doc/decisions/README.md"].flatMap((document) =>
        linksIn(textOf(document)).map((link) =>
          path.posix.join(path.posix.dirname(document), link.split("#")[0] ?? ""),
        ),
      ),
    );
    const pages = documents.filter((document) => /^(?:media\/guide|doc\/decisions)\/[^R]/u.test(document));
    assert.ok(pages.length > 30);
    assert.deepEqual(
      pages.filter((page) => !linked.has(page)),
      [],
    );
  });

  it("CONTRIBUTING.md names source files that exist", () => {
    // NAME and ROOM stand for a feature's or an agent's word.
    const recipes = textOf("CONTRIBUTING.md").split("## Recipes")[1] ?? "";
    const named = [...recipes.matchAll(/`([\w-]+\.ts)`/gu)].map(([, name = ""]) =>
      name.replace(/NAME|ROOM/u, "*"),
    );
    assert.ok(named.length > 10);
    assert.deepEqual(
      named.filter((name) => globSync(`{src,test}/**/${name}`, { cwd: root }).length === 0),
      [],
    );
  });

  it("name benchmarks, generators and suites that exist", () => {
    const lists = { bench: benches, generate: generators, test: suites };
    const unknown = documents.flatMap((document) =>
      [
        ...textOf(document).matchAll(/npm (?:run )?(bench|generate|test) -- ([a-z][a-z-]*)(?![a-z/-])/gu),
      ].filter(
        ([, script, name]) =>
          !Object.entries(lists).some(
            ([list, tasks]) => list === script && tasks.some((task) => task.name === name),
          ),
      ),
    );
    assert.deepEqual(unknown.map(String), []);
  });

  it("ARCHITECTURE.md has the rooms in the order that lint holds", () => {
    const listed = [...textOf("ARCHITECTURE.md").matchAll(/^\| \[([a-z]+)\]\(src\/engine\//gmu)].map(
      ([, room]) => room,
    );
    const built = rooms.filter((room) => existsSync(path.join(root, "src/engine", room)));
    assert.ok(built.length > 10);
    assert.deepEqual(listed, built);
  });
});

describe("one way to write percent", () => {
  const english = [...documents, "package.nls.json", "l10n/bundle.l10n.json"];
  for (const file of english)
    it(`${file} writes 61%, without a space`, () => {
      const spaced = [...textOf(file).matchAll(/.{0,40}[\d}] %(?!\d).{0,20}/gu)].map(([text]) => text);
      assert.deepEqual(spaced, []);
    });
});
