import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cachedFolder } from "./cache-folder.ts";
import { fetchPackage } from "./npm.ts";
import { fontPackages } from "./pinned-packages.ts";

const weights = /^(?:400Regular|500Medium|600SemiBold|700Bold)/u;

/** Installs the fonts into the cache, once, and returns a fontconfig file (Linux) that prefers them. */
export async function installFonts(cache: string): Promise<string> {
  const name = `fonts-${fontPackages.map((font) => font.version).join("-")}`;
  const folder = await cachedFolder({
    cache,
    name,
    async build(draft) {
      for (const font of fontPackages) await unpackFont(font, draft);
      await writeFile(join(draft, "fonts.conf"), fontConfig(join(cache, name)));
    },
  });
  return join(folder, "fonts.conf");
}

async function unpackFont(font: (typeof fontPackages)[number], draft: string): Promise<void> {
  const unpacked = await fetchPackage(font, draft);
  const kept = join(draft, font.name.replace("/", "-"));
  await mkdir(kept);
  for (const entry of await readdir(unpacked, { recursive: true })) {
    const file = entry.split(/[\\/]/u).at(-1) ?? entry;
    const wanted = file === "LICENSE_FONT" || (weights.test(entry) && entry.endsWith(".ttf"));
    if (wanted) await rename(join(unpacked, entry), join(kept, file));
  }
  await rm(unpacked, { recursive: true });
}

function fontConfig(folder: string): string {
  const prefer = (family: string, font: string) =>
    `  <match target="pattern"><test name="family"><string>${family}</string></test>` +
    `<edit name="family" mode="prepend" binding="strong"><string>${font}</string></edit></match>`;
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    "<fontconfig>",
    `  <dir>${folder}</dir>`,
    "  <dir>/usr/share/fonts</dir>",
    `  <cachedir>${join(folder, "fontconfig")}</cachedir>`,
    ...["sans-serif", "system-ui", "Ubuntu"].map((family) => prefer(family, "Inter")),
    ...["monospace", "Droid Sans Mono"].map((family) => prefer(family, "JetBrains Mono")),
    "</fontconfig>",
    "",
  ].join("\n");
}
