import type { GuardRule } from "../../calls/rule.ts";

const engines = "docker|podman|nerdctl|finch";
const composeRemoval = "^(?:compose )?(?:-\\S+ \\S+ )*rm(?: \\S+)* (?:-[a-z]*v[a-z]*|--volumes)(?:\\s|$)";

/** Rules on containers of this machine, their images and their volumes. */
export const containerRules: readonly GuardRule[] = [
  {
    id: "container-prune-volumes",
    family: "safety",
    match: [
      { program: engines, words: "system prune", flags: ["--volumes"] },
      { program: engines, words: "volume prune", flags: ["-a|--all"] },
    ],
    message: "This deletes the data of every volume that no container uses now, of all projects.",
    remedy: "List the volumes with `docker volume ls` and remove the one that you mean.",
    fires: [
      "docker system prune -a --volumes -f",
      "sudo docker --context prod system prune --force --volumes",
      "docker volume prune -af",
      "ssh ann@build 'podman system prune --all --volumes --force'",
    ],
    passes: [
      "docker system prune",
      "docker volume ls",
      "echo docker system prune --volumes",
      "docker system df",
    ],
  },
  {
    id: "container-prune-images",
    family: "safety",
    action: "advise",
    match: [
      { program: engines, words: "system prune|image prune|builder prune|buildx prune", flags: ["-a|--all"] },
    ],
    message: "This deletes every image and build layer that no container uses, also those of other projects.",
    remedy: "Prune only what is dangling: leave `--all` out, or add a filter.",
    fires: ["docker system prune -af", "sudo docker image prune --all --force", "docker builder prune -a"],
    passes: ["docker image prune -f", "docker builder prune", "docker images -a", "docker ps --all"],
  },
  {
    id: "container-prune-unused-volumes",
    family: "safety",
    match: [{ program: engines, words: "volume prune", without: "-a|--all" }],
    message: "This deletes the data of volumes that no container uses at this moment.",
    remedy: "List them with `docker volume ls --filter dangling=true` first.",
    fires: ["docker volume prune -f", "bash -c 'yes | docker volume prune'"],
    passes: ["docker volume ls --filter dangling=true", "docker volume inspect prune"],
  },
  {
    id: "container-remove-all",
    family: "safety",
    action: "advise",
    match: [
      { program: engines, words: "rm|container rm", flags: ["-f|--force"], operand: { from: engines } },
      { program: engines, words: "rm|container rm", flags: ["-f|--force"], via: "xargs", from: engines },
      { program: "podman", words: "rm|container rm|pod rm", flags: ["-a|--all"] },
      { program: engines, words: "kill|container kill", operand: { from: engines } },
      { program: engines, words: "kill|container kill", via: "xargs", from: engines },
    ],
    message:
      "This kills all listed containers, also those of other projects, and what they keep outside volumes.",
    remedy: "Name the containers of this project, or use `docker compose down`.",
    fires: [
      "docker rm -f $(docker ps -aq)",
      "docker ps -aq | xargs -r docker rm --force",
      "docker kill `docker ps -q`",
      "sudo podman rm --all",
    ],
    passes: [
      "docker rm -f web",
      "docker ps -aq",
      "docker rm $(docker ps -aqf status=exited)",
      "docker stop web",
    ],
  },
  {
    id: "container-remove-all-images",
    family: "safety",
    action: "advise",
    match: [
      { program: engines, words: "rmi|image rm", operand: { from: engines } },
      { program: engines, words: "rmi|image rm", via: "xargs", from: engines },
      { program: "podman", words: "rmi|image rm", flags: ["-a|--all"] },
    ],
    message: "This deletes all listed images; those that are in no registry are gone.",
    remedy: "Name the image, or prune what is dangling with `docker image prune`.",
    fires: ["docker rmi -f $(docker images -q)", "docker images -q | xargs docker rmi", "podman rmi -a"],
    passes: ["docker rmi shop:old", "docker images -q", "docker rmi --help"],
  },
  {
    id: "container-remove-all-volumes",
    family: "safety",
    match: [
      { program: engines, words: "volume rm", operand: { from: engines } },
      { program: engines, words: "volume rm", via: "xargs", from: engines },
      { program: "podman", words: "volume rm", flags: ["-a|--all"] },
    ],
    message: "This deletes the data of all listed volumes, such as databases.",
    remedy: "Name the one volume that you mean, after a backup.",
    fires: [
      "docker volume rm $(docker volume ls -q)",
      "docker volume ls -q | xargs docker volume rm",
      "sudo podman volume rm --all",
    ],
    passes: ["docker volume rm shop_cache", "docker volume ls -q | wc -l"],
  },
  {
    id: "container-remove-volume",
    family: "safety",
    match: [{ program: engines, words: "volume rm|volume remove", count: [1, 99], notTesting: true }],
    message: "A volume's data is gone for good once it is removed.",
    remedy: "Look at what it holds with `docker volume inspect` and back it up first.",
    fires: ["docker volume rm shop_db", "/usr/bin/docker volume rm -f shop_db", "docker volume remove pg"],
    passes: [
      "docker volume rm shop_test",
      "docker volume create shop_db",
      "docker volume rm --help",
      "docker volume inspect shop_db",
    ],
  },
  {
    id: "container-remove-with-volumes",
    family: "safety",
    match: [
      {
        program: engines,
        words: "rm|container rm",
        flags: ["-v|--volumes"],
        notText: "(?:^|[\\s_-])(?:te?mp|tests?|ci|e2e|scratch)(?:[\\s_-]|$)",
      },
    ],
    message: "This deletes the container with the data of its own volumes.",
    remedy: "Look at what it holds with `docker volume inspect` and back it up first.",
    fires: ["docker rm -v db", "sudo docker container rm -fv shop-db"],
    passes: ["docker rm -f db", "docker rm -fv pg-test", "docker run --rm -v a:/a alpine ls"],
  },
  {
    id: "compose-delete-volumes",
    family: "safety",
    match: [
      { program: engines, words: "compose down", flags: ["-v|--volumes"], notTesting: true },
      // Behind rm, -f takes no file.
      { program: engines, words: "compose rm|compose", text: composeRemoval, notTesting: true },
      {
        program: "docker-compose|podman-compose",
        words: "down",
        flags: ["-v|--volumes"],
        notTesting: true,
      },
      { program: "docker-compose|podman-compose", text: composeRemoval, notTesting: true },
    ],
    message: "This deletes the project's volumes, with the data of its databases.",
    remedy: "Leave `--volumes` out to keep the data.",
    fires: [
      "docker compose down -v",
      "docker-compose -f compose.yml down --volumes --remove-orphans",
      "sudo docker compose --profile dev down --rmi local -v",
      "docker compose rm -fsv",
      "docker-compose rm -s -v db",
    ],
    passes: [
      "docker compose down",
      "docker compose -p ci down -v",
      "docker compose -f compose.test.yml down --volumes",
      "docker compose -f x.yml down --remove-orphans",
      "docker compose run -v /a:/b web",
    ],
  },
  {
    id: "container-reset-engine",
    family: "safety",
    match: [
      { program: "podman", words: "system reset|machine reset" },
      { program: "docker", words: "swarm leave", flags: ["-f|--force"] },
      { program: "docker", words: "stack rm|stack down|stack remove" },
      { program: "docker", words: "service rm|service remove|node rm", count: [1, 99] },
      { program: "colima|limactl|rdctl|orb|orbctl", words: "delete|factory-reset|reset" },
    ],
    message:
      "This removes the engine's containers with all that they keep, or the services that a swarm runs.",
    remedy: "Remove the one container or service that you mean, after asking those who use it.",
    fires: [
      "podman system reset -f",
      "ssh swarm1 docker stack rm shop",
      "docker swarm leave --force",
      "colima delete -f",
    ],
    passes: [
      "docker stack ls",
      "docker service ls",
      "docker swarm join --token x host:2377",
      "colima status",
    ],
  },
  {
    id: "container-destroy-machine",
    family: "safety",
    action: "advise",
    match: [
      { program: "vagrant", words: "destroy" },
      { program: "multipass", words: "purge" },
      { program: "multipass", words: "delete", flags: ["-p|--purge|--all"] },
      { program: "docker-machine", words: "rm", count: [1, 99] },
      { program: "podman", words: "machine rm" },
      { program: "lxc|incus", words: "delete", flags: ["-f|--force"] },
      { program: "virsh", words: "undefine", flags: ["--remove-all-storage|--storage"] },
      { program: "vboxmanage", words: "unregistervm", flags: ["--delete|--delete-all"] },
      { program: "qm|pct", words: "destroy" },
    ],
    message: "This deletes a virtual machine with its disks.",
    remedy: "Take a snapshot first, or only stop it.",
    fires: [
      "vagrant destroy -f",
      "sudo virsh undefine db --remove-all-storage",
      "multipass delete --purge dev",
    ],
    passes: ["vagrant halt", "virsh list --all", "multipass delete dev", "vagrant destroy --help"],
  },
  {
    id: "container-delete-from-registry",
    family: "safety",
    match: [
      { program: "skopeo", words: "delete" },
      { program: "crane", words: "delete" },
      { program: "regctl", words: "tag delete|manifest delete|image delete" },
      { program: "oras", words: "manifest delete|blob delete" },
    ],
    message: "This deletes an image from a registry that others pull from.",
    remedy: "Push a new tag instead, and leave old images to the registry's retention.",
    fires: [
      "skopeo delete docker://ghcr.io/ann/shop:1.0",
      "bash -c 'crane delete ghcr.io/ann/shop@sha256:1'",
    ],
    passes: ["skopeo inspect docker://ghcr.io/ann/shop:1.0", "crane ls ghcr.io/ann/shop"],
  },
];
