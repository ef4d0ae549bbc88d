/** One npm package at one exact version, with the hash of its tarball. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** SHA-512 of the tarball, in the format of a lock file. */
  readonly integrity: string;
}

/** Which VS Code a test runs on. */
export type EditorChoice = "newest" | "oldest";

/** `code-server` carries the built VS Code server; its version follows VS Code's (4.100 is VS Code 1.100). */
export const editors: Readonly<Record<EditorChoice, PinnedPackage>> = {
  newest: {
    name: "code-server",
    version: "4.139.1",
    integrity:
      "sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==",
  },
  // The oldest version that `engines.vscode` in package.json promises.
  oldest: {
    name: "code-server",
    version: "4.100.3",
    integrity:
      "sha512-q/Fh2DOxCRNhC/WiG/6sAhSKnj7ZACTVBaeeZ+rWjol//0FCbl/qg1ln5ecZ99jYcfqMxZZAyWcN+YBIo0DgpA==",
  },
};

/** A headless Chromium for Linux on x64, shipped inside the package itself. */
export const chromiumPackage: PinnedPackage = {
  name: "@sparticuz/chromium",
  version: "153.0.0",
  integrity:
    "sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==",
};

/** Fonts that make screenshots look the same on every machine, whatever fonts it has. */
export const fontPackages: readonly PinnedPackage[] = [
  {
    name: "@expo-google-fonts/inter",
    version: "0.4.2",
    integrity:
      "sha512-syfiImMaDmq7cFi0of+waE2M4uSCyd16zgyWxdPOY7fN2VBmSLKEzkfbZgeOjJq61kSqPBNNtXjggiQiSD6gMQ==",
  },
  {
    name: "@expo-google-fonts/jetbrains-mono",
    version: "0.4.1",
    integrity:
      "sha512-CslACrtMOcRwoWXCO7OMEI+9w3fukWSoBtvNz46OqPoogEuuoY0tkDY1O8sFumk8t0pC6Cx0Xr95O0TOQhpkug==",
  },
];
