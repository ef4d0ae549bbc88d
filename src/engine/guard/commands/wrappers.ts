import type { Place } from "./invocation.ts";

/** How a program takes the command line of another one that it runs. */
export interface Wrapper {
  /** Options that take the next word, separated by blanks. */
  readonly valued?: string;
  /** Operands of its own before the command. */
  readonly operands?: number;
  /** Words between its name and the command, such as `exec` of `docker exec`; one of these lists. */
  readonly words?: readonly (readonly string[])[];
  /** Options before a script, such as `-c`. */
  readonly script?: readonly string[];
  /** A shell reads the rest, joined with blanks. */
  readonly isJoined?: boolean;
  /** Each word is a script for a shell. */
  readonly isEach?: boolean;
  /** A shell reads a single word; several are a command's words. */
  readonly isScriptAlone?: boolean;
  /** Runs only a script after its option. */
  readonly needsScript?: boolean;
  /** The script's option may follow operands. */
  readonly isLate?: boolean;
  /** `NAME=value` words before the command are assignments. */
  readonly takesAssignments?: boolean;
  /** Its own commands. Any other word is a program that it runs. */
  readonly ownWords?: string;
  /** The command only follows `--`. */
  readonly needsDashes?: boolean;
  /** Reads a missing command from its input. */
  readonly readsInput?: boolean;
  /** Adds words of its input at the end. */
  readonly addsWords?: boolean;
  readonly place?: Place;
}

const containerOptions =
  "-e --env -u --user -w --workdir --env-file --name -v --volume -p --publish --network --net --entrypoint -m --memory --mount --platform -l --label --add-host -h --hostname --gpus --shm-size --cpus --ulimit --cap-add --cap-drop --device --security-opt --restart --pull --index --detach-keys --volumes-from --tmpfs --link --dns --ip --expose --runtime --group-add --sysctl --log-driver --log-opt --cidfile --stop-signal -f --file --project-name -c --container -n --namespace --context";

const container: Wrapper = {
  words: [
    ["exec"],
    ["run"],
    ["compose", "exec"],
    ["compose", "run"],
    ["container", "exec"],
    ["container", "run"],
  ],
  valued: containerOptions,
  operands: 1,
  place: "container",
};
const flyConsole: Wrapper = {
  words: [["ssh", "console"]],
  script: ["-C", "--command"],
  needsScript: true,
  valued: "-a --app -c --config",
  place: "remote",
};
/** Commands of package managers. Any other word runs a package's program. */
const packageWords =
  "install i ci add remove rm uninstall un update up upgrade link unlink list ls ll la outdated audit why info view publish pack init create run run-script test t start stop restart rebuild rb prune store server config c get set cache env setup patch patch-commit patch-remove licenses deploy import fetch recursive m multi root bin doctor dedupe owner tag dist-tag login logout whoami version versions help node workspace workspaces global plugin policies team search constraints stage npm autoclean generate-lock-entry generate-lockfile self-update approve-builds ignored-builds catalog build repl -v -h";
const shell: Wrapper = { script: ["-c"], needsScript: true, valued: "-o -O --rcfile --init-file" };
const simple: Wrapper = {};

/** Programs that run a command line given to them. */
export const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: {
    takesAssignments: true,
    valued:
      "-u --user -g --group -h --host -p --prompt -C --close-from -D --chdir -R --chroot -T --command-timeout -U --other-user -r --role -t --type",
  },
  doas: { valued: "-u -C" },
  run0: { valued: "-u --user -D --chdir" },
  pkexec: { valued: "--user" },
  "cross-env": { takesAssignments: true },
  "cross-env-shell": { takesAssignments: true, isJoined: true },
  env: {
    takesAssignments: true,
    valued: "-u --unset -C --chdir",
    script: ["-S", "--split-string"],
  },
  timeout: { operands: 1, valued: "-s --signal -k --kill-after" },
  gtimeout: { operands: 1, valued: "-s --signal -k --kill-after" },
  nohup: simple,
  command: {},
  builtin: simple,
  exec: { valued: "-a" },
  noglob: simple,
  nocorrect: simple,
  "-": simple,
  repeat: { operands: 1 },
  nice: { valued: "-n --adjustment" },
  ionice: { valued: "-c --class -n --classdata" },
  chrt: { operands: 1 },
  taskset: { operands: 1 },
  setsid: simple,
  stdbuf: { valued: "-i --input -o --output -e --error" },
  unbuffer: simple,
  time: { valued: "-f --format -o --output" },
  strace: { valued: "-e -o -p -s -u" },
  ltrace: { valued: "-e -o -p -s -u" },
  caffeinate: { valued: "-t -w" },
  chronic: simple,
  proxychains: simple,
  proxychains4: simple,
  torsocks: simple,
  firejail: simple,
  fakeroot: simple,
  faketime: { operands: 1 },
  sshpass: { valued: "-p -f -d -P" },
  gosu: { operands: 1 },
  "su-exec": { operands: 1 },
  setpriv: { valued: "--reuid --regid --groups" },
  prlimit: { valued: "-p --pid" },
  numactl: { valued: "-N -m -C -i --cpunodebind --membind --physcpubind --interleave" },
  eatmydata: simple,
  arch: simple,
  rlwrap: { valued: "-f -H -s" },
  "xvfb-run": { valued: "-n --server-num -s --server-args -e --error-file" },
  "dbus-run-session": simple,
  "dumb-init": simple,
  tini: simple,
  tsp: { valued: "-L -N -D" },
  cpulimit: { valued: "-l --limit -p --pid -e --exe" },
  envdir: { operands: 1 },
  dotenvx: { words: [["run"]], valued: "-f --env-file -fk" },
  busybox: simple,
  toybox: simple,
  setarch: { operands: 1 },
  unshare: { valued: "-S -G -w --wd" },
  nsenter: { valued: "-t --target -S -G -w --wd" },
  runuser: { script: ["-c", "--command"], valued: "-u -s -g" },
  flock: { operands: 1, script: ["-c", "--command"], valued: "-w --timeout -E" },
  watch: { isJoined: true, valued: "-n --interval" },
  entr: simple,
  hyperfine: {
    isEach: true,
    valued:
      "-w --warmup -r --runs -m -M -p --prepare -c --cleanup -s --setup -n --export-json --export-markdown",
  },
  nodemon: { script: ["-x", "--exec"], needsScript: true, valued: "-e --ext -w --watch" },
  concurrently: { isEach: true, valued: "-n --names -c --prefix-colors -p --prefix -m --max-processes" },
  xargs: {
    addsWords: true,
    valued:
      "-I -n -P -L -d -E -s -a --arg-file --max-args --max-procs --max-lines --delimiter --replace --max-chars",
  },
  parallel: {
    addsWords: true,
    valued: "-j --jobs -I -a --arg-file --colsep -N -S --sshlogin --workdir --wd --tmpdir --results --joblog",
  },
  script: { script: ["-c", "--command"], isLate: true, needsScript: true },
  su: { script: ["-c", "--command"], isLate: true, needsScript: true, valued: "-s -g -G" },
  bash: shell,
  sh: shell,
  zsh: shell,
  dash: shell,
  ksh: shell,
  ash: shell,
  fish: { script: ["-c", "--command"], needsScript: true },
  nu: { script: ["-c", "--commands"], needsScript: true },
  eval: { isJoined: true },
  ssh: {
    isJoined: true,
    readsInput: true,
    operands: 1,
    place: "remote",
    valued: "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w",
  },
  mosh: { needsDashes: true, operands: 0, place: "remote" },
  gcloud: {
    words: [["compute", "ssh"]],
    script: ["--command"],
    needsScript: true,
    isLate: true,
    place: "remote",
  },
  doctl: {
    words: [["compute", "ssh"]],
    script: ["--ssh-command"],
    needsScript: true,
    isLate: true,
    place: "remote",
  },
  ansible: { script: ["-a", "--args"], needsScript: true, isLate: true, place: "remote" },
  heroku: {
    words: [["run"], ["run:detached"], ["run:inside"]],
    valued: "-a --app -s --size -e --env -r --remote --type",
    isJoined: true,
    place: "remote",
  },
  fly: flyConsole,
  flyctl: flyConsole,
  railway: { words: [["run"], ["ssh"]], valued: "-s --service -e --environment -p --project" },
  vagrant: {
    words: [["ssh"]],
    script: ["-c", "--command"],
    needsScript: true,
    isLate: true,
    place: "container",
  },
  sail: { place: "container" },
  ddev: { words: [["exec"]], valued: "-s --service -d --dir", place: "container" },
  k3s: simple,
  microk8s: simple,
  minikube: { valued: "-p --profile" },
  docker: container,
  podman: container,
  nerdctl: container,
  "docker-compose": { words: [["exec"], ["run"]], valued: containerOptions, operands: 1, place: "container" },
  kubectl: {
    valued: "-n --namespace --context --cluster --kubeconfig -c --container",
    words: [["exec"]],
    needsDashes: true,
    place: "container",
  },
  oc: {
    valued: "-n --namespace --context -c --container",
    words: [["exec"]],
    needsDashes: true,
    place: "container",
  },
  lxc: { words: [["exec"]], needsDashes: true, place: "container" },
  devcontainer: { words: [["exec"]], valued: "--workspace-folder --config", place: "container" },
  chroot: { operands: 1, place: "container" },
  wsl: { valued: "-d --distribution -u --user --cd" },
  npx: { script: ["-c", "--call"], valued: "-p --package" },
  pnpx: { valued: "-p --package" },
  watchexec: { valued: "-w --watch -e --exts -f --filter -i --ignore -d --debounce -s --signal -E --env" },
  bunx: { valued: "-p --package" },
  pnpm: { words: [["exec"], ["dlx"]], ownWords: packageWords, valued: "-C --dir --filter -F" },
  yarn: { words: [["exec"], ["dlx"]], ownWords: packageWords, valued: "--cwd" },
  bun: { words: [["x"]], ownWords: packageWords, valued: "--cwd --filter" },
  npm: {
    words: [["exec"], ["x"]],
    script: ["-c", "--call"],
    valued: "-p --package -w --workspace",
  },
  uv: {
    words: [["run"], ["tool", "run"]],
    valued: "--with --python -p --project --directory --extra --group --env-file",
  },
  uvx: { valued: "--from --with --python" },
  pipx: { words: [["run"]], valued: "--spec --python --pip-args --index-url --fetch-missing-python" },
  poetry: { words: [["run"]] },
  pipenv: { words: [["run"]] },
  pdm: { words: [["run"]] },
  hatch: { words: [["run"]] },
  rye: { words: [["run"]] },
  conda: { words: [["run"]], valued: "-n --name -p --prefix" },
  bundle: { words: [["exec"]] },
  git: {
    words: [
      ["submodule", "foreach"],
      ["bisect", "run"],
    ],
    valued: "-C -c --git-dir --work-tree",
    isScriptAlone: true,
  },
  lerna: { words: [["exec"]], needsDashes: true },
  repo: { words: [["forall"]], script: ["-c"], needsScript: true, valued: "-r -i -g -j" },
  mise: { words: [["exec"], ["x"]], needsDashes: true },
  asdf: { words: [["exec"]] },
  rbenv: { words: [["exec"]] },
  pyenv: { words: [["exec"]] },
  nodenv: { words: [["exec"]] },
  devbox: { words: [["run"]] },
  infisical: { words: [["run"]], needsDashes: true },
  chamber: { words: [["exec"]], needsDashes: true },
  direnv: { words: [["exec"]], operands: 1 },
  dotenv: { valued: "-e -f" },
  op: { words: [["run"]], needsDashes: true },
  doppler: { words: [["run"]], needsDashes: true },
  "aws-vault": { words: [["exec"]], needsDashes: true },
  nix: {
    words: [["develop"], ["shell"], ["run"]],
    script: ["-c", "--command"],
    isLate: true,
    needsScript: true,
  },
  "nix-shell": { script: ["--run", "--command"], isLate: true, needsScript: true },
  "systemd-run": { valued: "-p --property --unit -u --uid --gid" },
  tmux: {
    words: [["new-session"], ["new"], ["new-window"], ["split-window"], ["send-keys"]],
    valued: "-s -t -n -c -x -y -e",
    isJoined: true,
  },
  screen: { valued: "-S -t -c" },
  at: { needsScript: true },
};

/** Shells that read a script from their input or a file. */
export const shells = new Set(["bash", "sh", "zsh", "dash", "ksh", "ash", "fish"]);
/** Options of these shells that take the next word. */
export const shellOptions = new Set(["-o", "-O", "+o", "+O", "--rcfile", "--init-file"]);
/** Builtins that read a file's commands into their own shell. */
export const sourcing = new Set(["source", "."]);
export const powershells = new Set(["pwsh", "powershell"]);
