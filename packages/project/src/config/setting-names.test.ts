import type { CallPolicyOptions } from '@agent-criteria/models';
import { expectTypeOf, it } from 'vitest';
import type { CallOptions } from './call-settings.ts';
import type { Settings } from './settings/settings-type.ts';

// A setting keeps its name and type all the way from the config to the package that uses it.

it('call settings have the same names and types in @agent-criteria/models', () => {
  type Same =
    | 'cache'
    | 'callTimeout'
    | 'maskSecrets'
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
  // Other options can only be set in code.
  expectTypeOf<Exclude<keyof CallPolicyOptions, keyof Settings>>().toEqualTypeOf<'onEvent'>();
});
