import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  findOtherPeople,
  type OtherPeople,
  type PeopleInput,
} from "../../../../src/engine/hooks/install/other-people.ts";
import { briefRunner } from "../../../../src/engine/base/process/machine.ts";

interface Machine {
  readonly platform?: NodeJS.Platform;
  readonly env?: Record<string, string>;
  readonly uid?: number | null;
  readonly files?: Record<string, string>;
  /** Programs' output, by the last part of their path. */
  readonly said?: Record<string, string>;
}

function on({
  platform = "linux",
  env = {},
  uid = 1000,
  files = {},
  said = {},
}: Machine): Promise<OtherPeople> {
  const input: PeopleInput = {
    platform,
    env,
    uid,
    readText: (file) => files[file] ?? null,
    list: (folder) => [
      ...new Set(
        Object.keys(files).flatMap((file) =>
          file.startsWith(`${folder}/`) ? [file.slice(folder.length + 1).split("/")[0] ?? ""] : [],
        ),
      ),
    ],
    run: (program, args) =>
      Promise.resolve(said[`${program.split(/[/\\]/u).at(-1) ?? ""} ${args.join(" ")}`] ?? null),
  };
  return findOtherPeople(input);
}

const nobody: OtherPeople = { kind: "nobody" };
const account = (name: string): OtherPeople => ({ kind: "account", name });
const system = `root:x:0:0:root:/root:/bin/bash
daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin
postgres:x:113:120::/var/lib/postgresql:/bin/bash
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
nana:x:1000:1000:Nana,,,:/home/nana:/bin/zsh
`;
const usual = "passwd:         files systemd # as it comes\ngroup: files sss\n";
const alone = { "/etc/passwd": system, "/etc/nsswitch.conf": usual };

const machines: readonly (readonly [string, Machine, OtherPeople])[] = [
  ["nobody but its user", { files: alone }, nobody],
  ["nobody, where nothing says where accounts are", { files: { "/etc/passwd": system } }, nobody],
  [
    "another account",
    { files: { ...alone, "/etc/passwd": `${system}mallory:x:1001:1001::/home/m:/bin/sh\n` } },
    account("mallory"),
  ],
  [
    "an account without a shell of its own, which gets the usual one",
    { files: { ...alone, "/etc/passwd": `${system}mallory:x:1001:1001::/home/m:\n` } },
    account("mallory"),
  ],
  [
    "nobody with an account that is closed",
    { files: { ...alone, "/etc/passwd": `${system}old:x:1001:1001::/home/o:/usr/bin/false\n` } },
    nobody,
  ],
  [
    "somebody whose number is a person's here",
    {
      files: {
        ...alone,
        "/etc/passwd": `${system}mallory:x:700:700::/home/m:/bin/sh\n`,
        "/etc/login.defs": "# UID_MIN 5\nUID_MIN\t\t 500\nUID_MAX 60000\n",
      },
    },
    account("mallory"),
  ],
  ["a person, where an administrator asks", { uid: 0, files: alone }, account("nana")],
  [
    "whoever a directory knows",
    { files: { ...alone, "/etc/nsswitch.conf": "passwd: sss [NOTFOUND=return] files\n" } },
    { kind: "directory", name: "sss" },
  ],
  [
    "whoever NIS knows",
    { files: { ...alone, "/etc/passwd": `${system}+::::::\n` } },
    { kind: "directory", name: "NIS" },
  ],
  [
    "somebody whose home systemd keeps",
    { files: { ...alone, "/home/mallory.homedir/x": "" } },
    account("mallory"),
  ],
  ["nobody knows", {}, { kind: "unknown" }],
  ["nobody knows, without a number for its user", { uid: null, files: alone }, { kind: "unknown" }],
  [
    "nobody, in a container with a network of its own",
    {
      files: {
        ...alone,
        "/.dockerenv": "",
        "/sys/class/net/lo/ifindex": "1",
        "/sys/class/net/lo/iflink": "1",
        "/sys/class/net/eth0/ifindex": "12\n",
        "/sys/class/net/eth0/iflink": "13\n",
      },
    },
    nobody,
  ],
  [
    "people of its host, in a container with that one's network",
    {
      env: { container: "podman" },
      files: { ...alone, "/sys/class/net/eth0/ifindex": "2\n", "/sys/class/net/eth0/iflink": "2\n" },
    },
    { kind: "host" },
  ],
  [
    "people of its host, in a sandbox that shows the user's account alone",
    { files: { ...alone, "/.flatpak-info": "[Application]\n" } },
    { kind: "host" },
  ],
  [
    "nobody, on Windows behind a network of its own",
    {
      files: { ...alone, "/proc/sys/kernel/osrelease": "6.6.1-microsoft-standard-WSL2\n" },
      said: { "wslinfo --networking-mode": "nat\n" },
    },
    nobody,
  ],
  [
    "people of Windows, where the network is shared with it",
    {
      files: { ...alone, "/proc/sys/kernel/osrelease": "6.6.1-microsoft-standard-WSL2\n" },
      said: { "wslinfo --networking-mode": "mirrored\n" },
    },
    { kind: "host" },
  ],
  [
    "people of Windows, where it does not say",
    { files: { ...alone, "/proc/sys/kernel/osrelease": "4.4.0-19041-Microsoft\n" } },
    { kind: "host" },
  ],
];

describe("who else can log in to a machine with Linux", () => {
  for (const [what, machine, expected] of machines)
    it(`is ${what}`, async () => {
      assert.deepEqual(await on(machine), expected);
    });

  it("handles any files, and returns nobody only with an account file", async () => {
    const text = fc.string({
      unit: fc.constantFrom(..."nana:x1000/bin\n\t+[] #sspw".split("")),
      maxLength: 200,
    });
    await fc.assert(
      fc.asyncProperty(text, text, text, async (passwd, nsswitch, defs) => {
        const files = { "/etc/passwd": passwd, "/etc/nsswitch.conf": nsswitch, "/etc/login.defs": defs };
        const found = await on({ files });
        assert.ok(["nobody", "account", "directory"].includes(found.kind));
      }),
    );
  });
});

describe("who else can log in to a Mac", () => {
  const users = "_www                    70\ndaemon 1\nnana                    501\nnobody -2\nroot 0\n";
  const path = "SearchPath:\n /Local/Default\n";
  const asked = (list: string, search: string, guest = "0") => ({
    platform: "darwin" as const,
    uid: 501,
    said: {
      "dscl . -list /Users UniqueID": list,
      "dscl /Search -read / SearchPath": search,
      "defaults read /Library/Preferences/com.apple.loginwindow GuestEnabled": guest,
    },
  });
  it("is nobody, another account, a guest, or a directory's users", async () => {
    assert.deepEqual(await on(asked(users, path)), nobody);
    assert.deepEqual(await on(asked(`${users}mallory   502\n`, path)), account("mallory"));
    assert.deepEqual(await on(asked(users, path, "1\n")), account("Guest"));
    assert.deepEqual(await on(asked(users, `${path} /Active Directory/CORP/All Domains\n`)), {
      kind: "directory",
      name: "/Active Directory/CORP/All Domains",
    });
    assert.deepEqual(await on({ platform: "darwin", uid: 501 }), { kind: "unknown" });
  });
});

describe("who else can log in to Windows", () => {
  const list =
    "-NoProfile -NonInteractive -Command Get-LocalUser | Where-Object Enabled | ForEach-Object Name";
  const asked = (names: string, env: Record<string, string> = {}) => ({
    platform: "win32" as const,
    uid: null,
    env: { COMPUTERNAME: "ARGO", USERDOMAIN: "Argo", USERNAME: "Nana", SystemRoot: "C:\\Windows", ...env },
    said: { [`powershell.exe ${list}`]: names },
  });
  it("is nobody, another account, or the domain's users", async () => {
    assert.deepEqual(await on(asked("nana\r\n")), nobody);
    assert.deepEqual(await on(asked("nana\r\nMallory\r\n")), account("Mallory"));
    assert.deepEqual(await on(asked("nana\r\n", { USERDOMAIN: "CORP" })), {
      kind: "directory",
      name: "CORP",
    });
    assert.deepEqual(await on(asked("nana\r\n", { USERNAME: "" })), { kind: "unknown" });
    assert.deepEqual(await on(asked("\r\n")), { kind: "unknown" });
    assert.deepEqual(await on({ ...asked(""), said: {} }), { kind: "unknown" });
  });

  it("is unknown on an unknown system", async () => {
    assert.deepEqual(await on({ platform: "freebsd", files: alone }), { kind: "unknown" });
  });
});

describe("asking a program", () => {
  it("answers its output, cached for a while, and nothing if it fails", async () => {
    const run = briefRunner(process.env);
    const random = ["-p", "Math.random()"];
    const [one, other] = await Promise.all([run(process.execPath, random), run(process.execPath, random)]);
    assert.ok(one !== null && one === other);
    assert.equal(await run("no-such-program", []), null);
    assert.equal(await run(process.execPath, ["-e", "process.exit(3)"]), null);
    assert.equal(await briefRunner({ PATH: "/nowhere" })("node", ["--version"]), null);
  });
});
