"""The `kubernetes` package, imported by several threads."""

from __future__ import annotations

import re
import subprocess
import sys

from mirrorstack.local.home import ROOT

# As the threads of a provider do: they import different parts at the same time.
PROGRAM = """
import threading

barrier, failures = threading.Barrier(4), []

def load(name):
    barrier.wait()
    try:
        module = __import__("mirrorstack.kubernetes.library", fromlist=[name])
        getattr(module, name)
    except BaseException as error:
        failures.append(error)

names = ("ApiClient", "portforward", "ApiException", "load_kube_config")
threads = [threading.Thread(target=load, args=[name]) for name in names]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert not failures, failures
"""


def test_threads_that_need_it_at_the_same_time_all_get_it() -> None:
    subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, check=True, timeout=60)


def test_nothing_else_imports_the_package() -> None:
    imports = re.compile(r"^ +(from|import) kubernetes\b", re.MULTILINE)
    typed = re.compile(r"if TYPE_CHECKING:\n(    .*\n)+")
    found = [
        str(file.relative_to(ROOT))
        for file in (ROOT / "mirrorstack").rglob("*.py")
        if imports.search(typed.sub("", file.read_text("utf-8")))
    ]

    assert found == []
