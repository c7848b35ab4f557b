import { chai } from 'vitest';
import type { AgentMatchers } from './matchers.ts';
import { failure } from './plain-error.ts';

/** The parts of Vitest's test object that are used here. Vitest stores this object on an assertion. */
interface RunningTest {
  readonly context?: { onTestFinished?(end: () => void): void } | undefined;
}

/**
 * Makes a matcher fail its test unless it is awaited, because a result that arrives after the end of the test has no
 * effect. The matchers must already be registered.
 */
export function failUnawaited(names: readonly (keyof AgentMatchers)[]): void {
  chai.use(({ Assertion }, { flag, overwriteMethod }) => {
    for (const name of names) {
      overwriteMethod(
        Assertion.prototype,
        name,
        (matcher: (...args: unknown[]) => Promise<void>) =>
          function watched(this: object, ...args: unknown[]) {
            const call = new Error();
            Error.captureStackTrace(call, watched);
            const result = matcher.apply(this, args);
            const test: RunningTest | undefined = flag(this, 'vitest-test');
            const soft = flag(this, 'soft') === true ? '.soft' : '';
            const not = flag(this, 'negate') === true ? '.not' : '';
            return test?.context?.onTestFinished === undefined
              ? result
              : watch(result, (isAwaited) => {
                  test.context?.onTestFinished?.(() => {
                    if (isAwaited()) return;
                    const text = `${name} was not awaited, so this test never saw its result. Write: await expect${soft}(…)${not}.${name}(…)`;
                    throw failure(text, call.stack);
                  });
                });
          },
      );
    }
  });
}

/**
 * Wraps a promise to detect whether it is awaited. The result is not a native promise, because `await` would not call
 * its `then`.
 */
function watch(work: Promise<void>, onEnd: (isAwaited: () => boolean) => void): Promise<void> {
  let awaited = false;
  onEnd(() => awaited);
  // The test fails anyway, because the matcher was not awaited.
  work.catch(() => undefined);
  const waited = (): Promise<void> => {
    awaited = true;
    return work;
  };
  return {
    // biome-ignore lint/suspicious/noThenProperty: this is a promise.
    then: (done, failed) => waited().then(done, failed),
    catch: (failed) => waited().catch(failed),
    finally: (end) => waited().finally(end),
    [Symbol.toStringTag]: 'Promise',
  };
}
