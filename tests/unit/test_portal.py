"""The way for threads into an event loop, and the bell that wakes a pool's process."""

from __future__ import annotations

import _thread
import asyncio
import concurrent.futures
import gc
import signal
import threading
import time
import weakref
from collections.abc import Callable, Iterator

import pytest

from workroom.client.portal import Portal, new_loop
from workroom.worker.pool.wakeup import Wakeup


@pytest.fixture
def portal() -> Iterator[Portal]:
    loop = new_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    yield Portal(loop)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(5)
    loop.close()


def test_the_result_comes_from_the_other_thread(portal: Portal) -> None:
    async def where(number: int) -> tuple[int, str]:
        await asyncio.sleep(0)
        return number, threading.current_thread().name

    number, name = portal.call(where(3))
    assert number == 3
    assert name != threading.current_thread().name


def test_an_error_is_raised_here_with_its_traceback(portal: Portal) -> None:
    async def breaks() -> None:
        raise LookupError("not here")

    with pytest.raises(LookupError, match="not here") as caught:
        portal.call(breaks())
    assert "breaks" in [entry.name for entry in caught.traceback]


def test_an_error_does_not_keep_what_the_caller_had(portal: Portal) -> None:
    class Large:
        pass

    async def breaks() -> None:
        raise LookupError

    def caller() -> weakref.ref[Large]:
        large = Large()
        with pytest.raises(LookupError):
            portal.call(breaks())
        return weakref.ref(large)

    gone = caller()
    gc.collect()
    assert gone() is None


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C raises here, as in a program of somebody's own; whoever runs the tests may have it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def _interrupt_main() -> None:
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


# The second is as a signal that comes in the very moment before the wait: it is noted, and wakes nobody.
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("interrupt_main", [_interrupt_main, _thread.interrupt_main])
def test_interrupting_the_caller_cancels_the_coroutine(portal: Portal, interrupt_main: Callable[[], None]) -> None:
    began, ended = threading.Event(), threading.Event()

    async def for_ever() -> None:
        began.set()
        try:
            await asyncio.sleep(20)
        finally:
            ended.set()

    def interrupt() -> None:
        assert began.wait(5)
        interrupt_main()

    assert threading.current_thread() is threading.main_thread()
    thread = threading.Thread(target=interrupt)
    thread.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        portal.call(for_ever())
    thread.join(5)
    assert ended.wait(5)
    assert time.monotonic() - started < 5


def test_a_coroutine_that_is_cancelled_over_there_ends_the_wait(portal: Portal) -> None:
    async def gives_up() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(3600)

    with pytest.raises(concurrent.futures.CancelledError):
        portal.call(gives_up())


def test_a_call_from_inside_the_loop_is_refused(portal: Portal) -> None:
    async def inner() -> None:
        return None

    async def outer() -> None:
        portal.call(inner())

    with pytest.raises(RuntimeError, match="would deadlock"):
        portal.call(outer())


def test_a_call_after_the_loop_has_ended_is_refused() -> None:
    loop = new_loop()
    loop.close()

    async def late() -> None:
        return None

    with pytest.raises(RuntimeError):
        Portal(loop).call(late())


def test_calls_of_many_threads_do_not_mix(portal: Portal) -> None:
    async def slowly(number: int) -> int:
        await asyncio.sleep(0.001 * (number % 7))
        return number

    def call(number: int) -> int:
        return portal.call(slowly(number))

    with concurrent.futures.ThreadPoolExecutor(20) as threads:
        assert list(threads.map(call, range(500))) == list(range(500))


def test_the_bell_wakes_once_for_what_was_rung() -> None:
    bell = Wakeup()
    assert not bell.wait(0.01)
    bell.notify()
    bell.notify()
    assert bell.wait(0)
    assert not bell.wait(0.01)
    bell.notify()
    bell.clear()
    assert not bell.wait(0.01)


def test_the_bell_is_heard_by_who_waits_already() -> None:
    bell, heard = Wakeup(), threading.Event()
    thread = threading.Thread(target=lambda: heard.set() if bell.wait(None) else None)
    thread.start()
    bell.notify()
    assert heard.wait(5)
    thread.join(5)


def test_a_signal_just_before_the_wait_for_the_bell_is_noticed() -> None:
    bell = Wakeup()

    def ring(_number: int, _frame: object) -> None:
        bell.notify()

    before = signal.signal(signal.SIGTERM, ring)
    waker = threading.Timer(0.2, _thread.interrupt_main, [signal.SIGTERM])
    try:
        waker.start()
        started = time.monotonic()
        assert bell.wait(None)
        assert time.monotonic() - started < 5
    finally:
        waker.join()
        signal.signal(signal.SIGTERM, before)
