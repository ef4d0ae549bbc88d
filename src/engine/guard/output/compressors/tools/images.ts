import { beginsWith, type Compressor } from "../compressor.ts";
import { kindOf } from "../left-out.ts";
import { isPackageStep } from "./packages.ts";

const layers = kindOf("docker", "step of layers", "steps of layers");
const inner = kindOf("docker", "step of packages", "steps of packages");

const evidence =
  /^#\d+ (?:\[|DONE |CACHED|sha256:)|^Step \d+\/\d+ : |^STEP \d+\/\d+: |^[0-9a-f]{12}: (?:Pulling|Pull|Already|Download)/mu;
const layerStep =
  /^(?:#\d+ (?:sha256:|extracting |transferring |resolve |DONE |CACHED$|\.\.\.$|exporting |\[internal\] )|[0-9a-f]{12}: (?:Pulling|Pull |Already|Download|Verifying|Waiting|Extracting|Pushed|Preparing|Layer|Mounted)| ---> (?:[0-9a-f]{12}$|Running in |Using cache$)|Removing intermediate container |Getting image source|Copying (?:blob|config) )/u;
/** A line that a step of the build has written, with its time. */
const written = /^#\d+ \d+\.\d+ /u;

/** Builds and pulls of images: what became of each layer is left out, and the packages' steps within. */
export const images: Compressor = {
  runs: (words) => beginsWith(words, "docker", "podman", "buildah", "docker-compose", "nerdctl"),
  mark: ({ ends, lines }, marks) => {
    if (!evidence.test(ends)) return;
    lines.forEach((line, index) => {
      const prefix = written.exec(line)?.[0];
      if (layerStep.test(line)) marks.dropQuiet(index, layers);
      else if (prefix !== undefined && isPackageStep(line.slice(prefix.length)))
        marks.dropQuiet(index, inner);
    });
  },
};
