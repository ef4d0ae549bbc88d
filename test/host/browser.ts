import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { execa } from "execa";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import { cachedFolder } from "./cache-folder.ts";
import { installFonts } from "./fonts.ts";
import { fetchPackage } from "./npm.ts";
import { chromiumPackage } from "./pinned-packages.ts";
import { Unavailable } from "./unavailable.ts";

const launchLimit = 30_000; // ms
const aptLimit = 5 * 60_000; // ms

interface Candidate {
  readonly name: string;
  /** Path of its binary, installed first if necessary; undefined when this machine cannot run it. */
  find(): Promise<{ readonly executable: string; readonly env?: NodeJS.ProcessEnv } | undefined>;
}

/**
 * Starts a headless Chromium: the first that really starts of `PURSER_CHROMIUM`, an installed one, the cached one
 * from the npm package, and, for root on Debian, apt's. Throws a list of what was tried.
 */
export async function launchBrowser({
  cache,
  report = console.error,
}: {
  readonly cache: string;
  readonly report?: (line: string) => void;
}): Promise<Browser> {
  const fonts = process.platform === "linux" ? await fontEnvironment(cache, report) : {};
  const tried: string[] = [];
  for (const candidate of [named(), installed(), fromNpm(cache), fromApt(report)]) {
    try {
      const found = await candidate.find();
      if (found === undefined) {
        tried.push(`${candidate.name}: none here`);
        continue;
      }
      return await chromium.launch({
        executablePath: found.executable,
        timeout: launchLimit,
        env: { ...process.env, ...fonts, ...found.env },
        args: [
          "--no-sandbox", // it only loads our own loopback server, often as root in a container
          "--disable-gpu",
          "--disable-quic",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--no-first-run",
          "--font-render-hinting=none",
        ],
      });
    } catch (error) {
      const first = String(error).split("\n", 1)[0] ?? "";
      tried.push(`${candidate.name}: ${first}`);
    }
  }
  throw new Unavailable(
    `No Chromium starts on this machine. Install Chrome or Chromium. Tried:\n  ${tried.join("\n  ")}`,
  );
}

async function fontEnvironment(cache: string, report: (line: string) => void): Promise<NodeJS.ProcessEnv> {
  try {
    return { FONTCONFIG_FILE: await installFonts(cache) };
  } catch (error) {
    report(`The machine's own fonts are used, as the pinned ones could not be installed: ${String(error)}`);
    return {};
  }
}

function named(): Candidate {
  const executable = process.env["PURSER_CHROMIUM"];
  return {
    name: "PURSER_CHROMIUM",
    find: () => Promise.resolve(executable === undefined ? undefined : { executable }),
  };
}

function installed(): Candidate {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const programs = [process.env["PROGRAMFILES"], process.env["PROGRAMFILES(X86)"]].filter(
    (path) => path !== undefined,
  );
  const paths: Partial<Record<NodeJS.Platform, readonly string[]>> = {
    linux: names.flatMap((name) => folders.map((folder) => join(folder, name))),
    darwin: ["Google Chrome", "Chromium", "Microsoft Edge"].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    ),
    win32: programs.flatMap((folder) => [
      join(folder, "Google", "Chrome", "Application", "chrome.exe"),
      join(folder, "Microsoft", "Edge", "Application", "msedge.exe"),
    ]),
  };
  const executable = paths[process.platform]?.find((path) => existsSync(path));
  return {
    name: "an installed Chrome or Chromium",
    find: () => Promise.resolve(executable === undefined ? undefined : { executable }),
  };
}

function fromNpm(cache: string): Candidate {
  return {
    name: chromiumPackage.name,
    async find() {
      if (process.platform !== "linux" || process.arch !== "x64") return undefined;
      const folder = await cachedFolder({
        cache,
        name: `chromium-${chromiumPackage.version}`,
        async build(draft) {
          const unpacked = await fetchPackage(chromiumPackage, draft);
          await inflate(join(unpacked, "bin", "chromium.br"), join(draft, "chromium"));
          await chmod(join(draft, "chromium"), 0o755);
          // The few system libraries that a bare container lacks.
          await mkdir(join(draft, "libraries"));
          await inflate(join(unpacked, "bin", "al2023.tar.br"), join(draft, "libraries.tar"));
          await execa("tar", ["-xf", join(draft, "libraries.tar"), "-C", join(draft, "libraries")]);
          await rm(join(draft, "libraries.tar"));
          await rm(unpacked, { recursive: true });
        },
      });
      const executable = join(folder, "chromium");
      const libraries = { LD_LIBRARY_PATH: join(folder, "libraries", "lib") };
      const alone = await execa(executable, ["--version"], {
        reject: false,
        stdin: "ignore",
        timeout: launchLimit,
      });
      return alone.failed ? { executable, env: libraries } : { executable };
    },
  };
}

async function inflate(from: string, to: string): Promise<void> {
  await writeFile(to, await promisify(brotliDecompress)(await readFile(from)));
}

function fromApt(report: (line: string) => void): Candidate {
  return {
    name: "apt-get install chromium",
    async find() {
      const debian =
        process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
      if (!debian) return undefined;
      report("Installing Debian's chromium, as no other one starts here.");
      await execa("apt-get", ["update", "-qq"], { stdin: "ignore", timeout: aptLimit });
      await execa("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], {
        stdin: "ignore",
        timeout: aptLimit,
        env: { DEBIAN_FRONTEND: "noninteractive" },
      });
      return { executable: "/usr/bin/chromium" };
    },
  };
}
