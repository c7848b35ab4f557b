import type { CallPolicyOptions } from '@agent-criteria/models';
import type { CallOptions } from '@agent-criteria/runner/load';
import type { Settings } from '@agent-criteria/runner/settings';
import { expectTypeOf, it } from 'vitest';

// A setting has one name and one type, from the config to the package that uses it.

it('settings of calls are named in @agent-criteria/models as in the list', () => {
  type Same =
    | 'cache'
    | 'callTimeout'
    | 'maxCalls'
    | 'maxCost'
    | 'maxRetries'
    | 'maxTokens'
    | 'prices'
    | 'requestsPerMinute'
    | 'tokensPerMinute';
  expectTypeOf<Pick<CallPolicyOptions, Same>>().toEqualTypeOf<Pick<Settings, Same>>();
  expectTypeOf<Pick<CallOptions, Same | 'recording' | 'redact'>>().toEqualTypeOf<
    Pick<Settings, Same | 'recording' | 'redact'>
  >();
  type Calls = Pick<NonNullable<Settings['concurrency']>, 'calls'>;
  expectTypeOf<NonNullable<CallPolicyOptions['concurrency']>>().toEqualTypeOf<Calls>();
  type Recording = NonNullable<Settings['recording']>;
  expectTypeOf<Partial<NonNullable<CallPolicyOptions['recording']>>>().toEqualTypeOf<Recording>();
  // What the list does not have is a value of code.
  expectTypeOf<Exclude<keyof CallPolicyOptions, keyof Settings>>().toEqualTypeOf<'onEvent'>();
});
