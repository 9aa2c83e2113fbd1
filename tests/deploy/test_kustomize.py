"""The manifests: valid, and as strict as a floor's cluster asks."""

import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
import yaml

from services.runtime.settings import NAMES, read_settings
from tests.servers import ROOT

BASE: Final = ROOT / "deploy" / "kustomize" / "base"
SERVICES = ("rules", "settlement", "shoe")


def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the development packages; it must succeed."""
    command = [str(Path(sys.executable).with_name(name)), *arguments]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result


@pytest.fixture(scope="module")
def manifest() -> str:
    return run("kubectl", "kustomize", str(BASE)).stdout


@pytest.fixture(scope="module")
def found(manifest: str) -> dict[tuple[str, str], Any]:
    """Every resource by kind and name."""
    return {(item["kind"], item["metadata"]["name"]): item for item in yaml.safe_load_all(manifest)}


@pytest.fixture(params=[*(f"Deployment baccarat-{name}" for name in SERVICES), "Job baccarat-load-functions"])
def pod(request: pytest.FixtureRequest, found: dict[tuple[str, str], Any]) -> Any:
    kind, name = request.param.split()
    return found[kind, name]["spec"]["template"]["spec"]


@pytest.fixture
def container(pod: Any) -> Any:
    (only,) = pod["containers"]
    return only


@pytest.fixture(params=SERVICES)
def deployment(request: pytest.FixtureRequest, found: dict[tuple[str, str], Any]) -> Any:
    return found["Deployment", f"baccarat-{request.param}"]


def test_the_manifests_are_valid_for_kubernetes(manifest: str, tmp_path: Path) -> None:
    file = tmp_path / "manifest.yaml"
    file.write_text(manifest)
    run("kubernetes-validate", "--strict", "--kubernetes-version", "1.37", str(file))


def test_the_base_holds_three_services_and_the_job(found: dict[tuple[str, str], Any]) -> None:
    (settings,) = [name for kind, name in found if kind == "ConfigMap"]
    kinds = ("Deployment", "PodDisruptionBudget", "ServiceAccount")
    expected = {(kind, f"baccarat-{name}") for kind in kinds for name in SERVICES}
    loader = {("Job", "baccarat-load-functions"), ("ServiceAccount", "baccarat-load-functions")}
    assert set(found) == expected | loader | {("ConfigMap", settings)}


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_runs_itself_with_its_own_secret_and_account(found: dict[tuple[str, str], Any], service: str) -> None:
    pod = found["Deployment", f"baccarat-{service}"]["spec"]["template"]["spec"]
    assert pod["containers"][0]["args"] == [service]
    assert pod["volumes"][0]["secret"]["secretName"] == f"baccarat-redis-{service}"
    assert pod["serviceAccountName"] == f"baccarat-{service}"


def test_the_shoes_keys_are_mounted_in_its_pods_only(found: dict[tuple[str, str], Any]) -> None:
    with_key = {name: item for name, item in found.items() if "shoe-key" in str(item)}
    assert list(with_key) == [("Deployment", "baccarat-shoe")]
    assert "BACCARAT_SHOE_KEY" not in str({name: item for name, item in found.items() if name not in with_key})
    pod = with_key["Deployment", "baccarat-shoe"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    keys = {"name": "shoe-key", "secret": {"secretName": "baccarat-shoe-key", "defaultMode": 0o440}}
    assert keys in pod["volumes"]
    assert {"name": "shoe-key", "mountPath": "/run/secrets/shoe", "readOnly": True} in container["volumeMounts"]
    assert {"name": "BACCARAT_SHOE_KEY_FILE", "value": "/run/secrets/shoe/keys"} in container["env"]


def test_functions_are_loaded_with_the_administrators_secret(found: dict[tuple[str, str], Any]) -> None:
    pod = found["Job", "baccarat-load-functions"]["spec"]["template"]["spec"]
    assert pod["containers"][0]["args"] == ["load-functions"]
    assert pod["volumes"][0]["secret"]["secretName"] == "baccarat-redis-administrator"


def test_a_pod_meets_the_restricted_standard(pod: Any, container: Any) -> None:
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] > 10_000
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "readOnlyRootFilesystem": True,
    }


def test_a_pod_has_an_account_without_token(pod: Any, found: dict[tuple[str, str], Any]) -> None:
    assert pod["automountServiceAccountToken"] is False
    assert found["ServiceAccount", pod["serviceAccountName"]]["automountServiceAccountToken"] is False


def test_memory_is_limited_to_what_is_requested(container: Any) -> None:
    assert container["resources"]["limits"]["memory"] == container["resources"]["requests"]["memory"]


def test_the_servers_address_comes_as_a_file(pod: Any, container: Any) -> None:
    (mount,) = [mount for mount in container["volumeMounts"] if mount["name"] == "redis"]
    assert mount == {"name": "redis", "mountPath": "/run/secrets/redis", "readOnly": True}
    assert {"name": "REDIS_URL_FILE", "value": "/run/secrets/redis/url"} in container["env"]
    assert {"name": "tmp", "emptyDir": {"sizeLimit": "16Mi"}} in pod["volumes"]


def test_the_settings_are_ones_that_the_services_take(found: dict[tuple[str, str], Any], container: Any) -> None:
    ((name, settings),) = [(name, item["data"]) for (kind, name), item in found.items() if kind == "ConfigMap"]
    assert container["envFrom"] == [{"configMapRef": {"name": name}}]
    assert set(settings) <= set(NAMES.values())
    read = msgspec.structs.asdict(read_settings(settings))
    assert (read["http_host"], read["http_port"], read["pits"]) == ("0.0.0.0", 8000, ("demo",))


def test_a_service_is_probed_on_its_own_port(deployment: Any) -> None:
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    assert container["ports"] == [{"name": "http", "containerPort": 8000}]
    probes = {name: container[f"{name}Probe"]["httpGet"] for name in ("startup", "liveness", "readiness")}
    live, ready = {"path": "/livez", "port": "http"}, {"path": "/readyz", "port": "http"}
    assert probes == {"startup": live, "liveness": live, "readiness": ready}


def test_two_replicas_stand_apart_and_leave_one_at_a_time(deployment: Any, found: dict[tuple[str, str], Any]) -> None:
    labels = deployment["spec"]["selector"]["matchLabels"]
    pod = deployment["spec"]["template"]
    budget = found["PodDisruptionBudget", deployment["metadata"]["name"]]["spec"]
    assert deployment["spec"]["replicas"] == 2
    assert pod["metadata"]["labels"].items() >= labels.items()
    assert labels["app.kubernetes.io/component"] == deployment["metadata"]["name"].removeprefix("baccarat-")
    assert budget == {"maxUnavailable": 1, "selector": {"matchLabels": labels}}
    assert [spread["labelSelector"]["matchLabels"] for spread in pod["spec"]["topologySpreadConstraints"]] == [labels]
    assert pod["spec"]["terminationGracePeriodSeconds"] == 10
