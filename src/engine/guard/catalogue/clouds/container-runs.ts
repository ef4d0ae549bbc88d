import type { GuardRule } from "../../calls/rule.ts";

const engines = "docker|podman|nerdctl|finch";
const running = "run|create|container run|container create|compose run";
/** Folders of the machine that a container must not be given to write in. */
const hostFolders = "(?:/|/(?:etc|root|boot|home|usr|var|bin|sbin|lib|lib64|opt|srv|Users)/?)";

/** How a folder is mounted so that the container may write in it. */
const writable = "(?::(?:rw|z|Z|U|rshared|rslave|,)+)?";

/** Rules on what containers are given: rights, folders of the machine, keys. */
export const containerRunRules: readonly GuardRule[] = [
  {
    id: "container-run-privileged",
    family: "safety",
    action: "advise",
    match: [
      { program: engines, words: running, flags: ["--privileged"] },
      {
        program: engines,
        words: running,
        value: { of: "--cap-add", like: "(?i)(?:cap_)?(?:all|sys_admin|sys_module|sys_ptrace)" },
      },
    ],
    message: "A container with these rights can take over the machine.",
    remedy: "Give it only the one capability or device that it needs.",
    fires: ["docker run --rm --privileged alpine sh", "sudo docker run -it --cap-add=ALL ubuntu"],
    passes: [
      "docker run --rm alpine sh",
      "docker run --cap-add=NET_ADMIN vpn",
      "docker run --cap-drop ALL web",
    ],
  },
  {
    id: "container-join-host",
    family: "safety",
    match: [
      {
        program: engines,
        words: running,
        flags: ["--privileged"],
        value: { of: "--pid|--ipc|--userns", like: "host" },
      },
      {
        program: engines,
        words: running,
        value: { of: "--device", like: "/dev/(?:sd|nvme|vd|xvd|mem|kmsg).*" },
      },
    ],
    message:
      "The container runs as if it were no container: it reaches all processes or disks of the machine.",
    remedy: "Run the command on the machine itself, where it is seen, or leave the host's parts out.",
    fires: [
      "docker run -it --privileged --pid=host debian nsenter -t 1 -m sh",
      "sudo docker run --device /dev/sda:/dev/sda alpine sh",
    ],
    passes: ["docker run --pid=container:web alpine ps", "docker run --device /dev/snd player"],
  },
  {
    id: "container-mount-machine",
    family: "safety",
    match: [
      {
        program: engines,
        words: running,
        value: { of: "-v|--volume", like: `${hostFolders}:[^:]+${writable}` },
      },
      {
        program: engines,
        words: running,
        value: { of: "-v|--volume", like: `(?P<path>[^:]+):[^:]+${writable}`, path: "home" },
      },
      {
        program: engines,
        words: running,
        value: { of: "--mount", like: "(?:.*,)?(?:source|src)=(?P<path>[^,]+)(?:,.*)?", path: "home" },
        notText: ",(?:readonly|ro)\\b",
      },
      {
        program: engines,
        words: running,
        value: { of: "--mount", like: `(?:.*,)?(?:source|src)=${hostFolders}(?:,.*)?` },
        notText: ",(?:readonly|ro)\\b",
      },
    ],
    message: "The container may change and delete the machine's own files in that folder.",
    remedy: "Mount the project's folder, or add `:ro`.",
    fires: [
      "docker run -v /:/host alpine chroot /host sh",
      "sudo docker run --rm -v /tmp/x:/x --volume=/etc:/etc alpine sh",
      "podman run --mount type=bind,source=/,target=/host alpine",
      "docker run -v $HOME:/host alpine rm -rf /host/x",
      "docker compose run -v $HOME:/host web sh",
      "docker run --rm --mount type=bind,source=/home/ann,target=/h ubuntu bash",
    ],
    passes: [
      "docker run -v $PWD:/app node:24 npm test",
      "docker run -v /:/host:ro,rslave prom/node-exporter",
      "docker run -v /home/ann/shop:/app node",
      "docker run -v $HOME:/h:ro alpine ls /h",
      "docker run -v $HOME/.npm:/root/.npm node:24 npm ci",
    ],
  },
  {
    id: "container-mount-engine",
    family: "safety",
    action: "advise",
    match: [
      {
        program: engines,
        words: running,
        value: {
          of: "-v|--volume|--mount",
          like: "(?:.*=)?(?:/var)?/run/(?:docker|podman/podman)\\.sock[:,].*",
        },
      },
    ],
    message:
      "Through the engine's socket the container can start any other one, with the whole machine mounted.",
    remedy: "Leave the socket out, or put a proxy that only reads before it.",
    fires: [
      "docker run -v /var/run/docker.sock:/var/run/docker.sock docker:cli ps",
      "sudo docker run --mount type=bind,source=/var/run/docker.sock,target=/s.sock alpine",
    ],
    passes: ["ls -l /var/run/docker.sock", "docker run -v /var/run/postgresql:/pg psql"],
  },
  {
    id: "container-mount-keys",
    family: "secrets",
    action: "advise",
    match: [
      {
        program: engines,
        words: running,
        value: { of: "-v|--volume", like: ".*/\\.(?:ssh|aws|gnupg|kube|azure|config/gcloud)(?:/[^:]*)?:.*" },
      },
    ],
    message: "The container and its image can read these keys.",
    remedy: "Pass on one short-lived credential, or use an agent's socket.",
    fires: [
      "docker run -v ~/.ssh:/root/.ssh alpine/git clone x",
      "sudo docker run --volume=$HOME/.aws:/root/.aws cli",
    ],
    passes: ["docker run -v ~/.cache/pip:/root/.cache/pip python", "docker run -v ./ssh:/ssh alpine"],
  },
  {
    id: "container-build-with-secret",
    family: "secrets",
    action: "advise",
    match: [
      {
        program: engines,
        words: "build|buildx build|image build|compose build",
        text: "--build-arg[ =]\\w*(?:token|secret|passw(?:or)?d|api_?key|private_?key)\\w*=",
      },
    ],
    message: "Whoever has the image can read its build arguments.",
    remedy: "Hand it over with `--secret id=NAME` and mount it in the step that needs it.",
    fires: [
      "docker build --build-arg NPM_TOKEN=$NPM_TOKEN -t shop .",
      "docker buildx build --build-arg=DB_PASSWORD=x .",
    ],
    passes: ["docker build --build-arg NODE_VERSION=24 .", "docker build --secret id=npm,env=NPM_TOKEN ."],
  },
  {
    id: "container-login-with-password",
    family: "secrets",
    action: "advise",
    match: [{ program: `${engines}|helm`, words: "login|registry login", flags: ["-p|--password"] }],
    message: "The password stays in the shell's history and is seen in the list of processes.",
    remedy: "Pipe it in with `--password-stdin`.",
    fires: ["docker login -u ann -p hunter2 ghcr.io", "sudo podman login --password=x quay.io"],
    passes: ["docker login ghcr.io", "echo $TOKEN | docker login -u ann --password-stdin ghcr.io"],
  },
  {
    id: "container-open-daemon",
    family: "safety",
    match: [
      {
        program: "dockerd",
        text: "(?:-H|--host)[ =]?tcp://(?:0\\.0\\.0\\.0|\\[?::\\]?|:)",
        without: "--tlsverify",
      },
    ],
    message: "Everybody who reaches this port can take over the machine.",
    remedy: "Use `ssh://` contexts, or `--tlsverify` with certificates.",
    fires: [
      "sudo dockerd -H tcp://0.0.0.0:2375",
      "dockerd --host=tcp://0.0.0.0:2375 -H unix:///var/run/docker.sock",
    ],
    passes: ["dockerd -H unix:///var/run/docker.sock", "docker -H tcp://build:2376 ps"],
  },
];
