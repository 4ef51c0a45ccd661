"""Threads call coroutines of an event loop through a `Portal`; a `Wakeup` wakes a process of a pool."""

from __future__ import annotations

import _thread
import asyncio
import concurrent.futures
import gc
import signal
import threading
import time
import weakref
from collections.abc import Generator
from contextlib import contextmanager

import pytest
from tests.own_process import in_own_process

from workroom.client.portal import Portal, new_loop
from workroom.worker.pool.main_thread_wakeup import Wakeup


@contextmanager
def open_portal() -> Generator[Portal]:
    """A portal to a loop that runs in another thread until the block ends."""
    loop, ended = new_loop(), asyncio.Event()
    thread = threading.Thread(target=loop.run_until_complete, args=[ended.wait()], daemon=True)
    thread.start()
    try:
        yield Portal(loop)
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(5)
        loop.close()


@pytest.fixture
def portal() -> Generator[Portal]:
    with open_portal() as opened:
        yield opened


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


# `interrupt_main` only marks the signal as received, like one that comes just before the wait: it wakes no system call.
@pytest.mark.parametrize("how", ["pthread_kill", "interrupt_main"])
@in_own_process
def test_interrupting_the_caller_cancels_the_coroutine(how: str) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    began, ended = threading.Event(), threading.Event()

    async def wait_long() -> None:
        began.set()
        try:
            await asyncio.sleep(20)
        finally:
            ended.set()

    def interrupt() -> None:
        assert began.wait(5)
        if how == "pthread_kill":
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            _thread.interrupt_main()

    assert threading.current_thread() is threading.main_thread()
    thread = threading.Thread(target=interrupt)
    with open_portal() as portal:
        thread.start()
        started = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            portal.call(wait_long())
        thread.join(5)
        assert ended.wait(5)
        assert time.monotonic() - started < 5


def test_a_coroutine_that_is_cancelled_in_its_loop_ends_the_wait(portal: Portal) -> None:
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


def test_a_wakeup_wakes_one_wait_for_all_notifications_before_it() -> None:
    wakeup = Wakeup()
    assert not wakeup.wait(0.01)
    wakeup.notify()
    wakeup.notify()
    assert wakeup.wait(0)
    assert not wakeup.wait(0.01)
    wakeup.notify()
    wakeup.clear()
    assert not wakeup.wait(0.01)


def test_a_wakeup_ends_a_wait_that_has_begun() -> None:
    wakeup, woken = Wakeup(), threading.Event()
    thread = threading.Thread(target=lambda: woken.set() if wakeup.wait(None) else None)
    thread.start()
    wakeup.notify()
    assert woken.wait(5)
    thread.join(5)


@in_own_process
def test_a_signal_just_before_the_wait_for_a_wakeup_is_noticed() -> None:
    wakeup = Wakeup()
    signal.signal(signal.SIGTERM, lambda _number, _frame: wakeup.notify())
    timer = threading.Timer(0.2, _thread.interrupt_main, [signal.SIGTERM])
    timer.start()
    started = time.monotonic()
    assert wakeup.wait(None)
    assert time.monotonic() - started < 5
    timer.join()
