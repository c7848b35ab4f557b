import { isObject } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import { Entries } from '../entries.tsx';
import { Field, JsonField, NumberField, SelectField } from '../field.tsx';
import { type Fields, listOf, writeKey } from '../spelling.ts';
import { SimulatorField } from './simulator-field.tsx';
import { newStub, simulatorOf } from './stub-simulator.ts';

/** Edits tool stubs, in the format of ADK's environment simulation. */
export function StubsForm(props: { readonly value: unknown; change(value: readonly Fields[] | undefined): void }) {
  const stubs = listOf(props.value);
  const set = (next: readonly Fields[]) => props.change(next.length === 0 ? undefined : next);
  return (
    <Entries
      title="Stubs"
      note="Every tool answers for itself. A stub answers in its place."
      items={stubs}
      one="stub"
      add="Add a stub"
      append={() => set([...stubs, newStub()])}
      remove={(_, place) => set(stubs.toSpliced(place, 1))}
      entry={(stub, place) => {
        const put = (key: string, value: unknown) => set(stubs.with(place, writeKey(stub, key, value)));
        const injections = listOf(fieldOf(stub, 'injection_configs'));
        const named = fieldOf(stub, 'tool_name');
        return (
          <>
            <Field
              label="Tool"
              mono
              value={typeof named === 'string' ? named : ''}
              change={(name) => put('tool_name', name)}
            />
            <Entries
              title="Its answers"
              note="The first that applies to a call decides."
              level={4}
              items={injections}
              one="answer"
              add="Add an answer"
              append={() => put('injection_configs', [...injections, { injected_response: {} }])}
              remove={(_, at) => put('injection_configs', injections.toSpliced(at, 1))}
              entry={(one, at) => (
                <InjectionFields
                  value={one}
                  isSimulated={simulatorOf(stub) !== null}
                  change={(next) => put('injection_configs', injections.with(at, next))}
                />
              )}
            />
            <SimulatorField stub={stub} change={(next) => set(stubs.with(place, next))} />
          </>
        );
      }}
    />
  );
}

const KINDS = { response: 'A fixed result', error: 'An error', tool: 'The tool itself, after the delay' };
const SIMULATED = { ...KINDS, tool: 'The simulator, after the delay' };

function InjectionFields(props: {
  readonly value: Fields;
  readonly isSimulated: boolean;
  change(value: Fields): void;
}) {
  const { value, change } = props;
  const error = fieldOf(value, 'injected_error');
  const response = fieldOf(value, 'injected_response');
  const kind = isObject(error) ? 'error' : isObject(response) ? 'response' : 'tool';
  const put = (key: string, next: unknown) => change(writeKey(value, key, next));
  const number = (key: string) => {
    const found = fieldOf(value, key);
    return typeof found === 'number' ? found : undefined;
  };
  return (
    <>
      <div class="options">
        <SelectField
          label="It answers"
          value={kind}
          choices={props.isSimulated ? SIMULATED : KINDS}
          change={(next) => {
            const bare = writeKey(writeKey(value, 'injected_error', undefined), 'injected_response', undefined);
            const broken = { injected_http_error_code: 503, error_message: '' };
            if (next === 'tool') change(bare);
            else if (next === 'error') change(writeKey(bare, 'injected_error', broken));
            else change(writeKey(bare, 'injected_response', {}));
          }}
        />
        <JsonField
          label="To calls with"
          hint="Arguments that the call must have. Empty: every call"
          kind="object"
          value={fieldOf(value, 'match_args')}
          change={(next) => put('match_args', next)}
        />
      </div>
      {kind === 'response' && (
        <JsonField
          label="Result"
          kind="object"
          value={response}
          change={(next) => put('injected_response', next ?? {})}
        />
      )}
      {isObject(error) && (
        <div class="options">
          <NumberField
            label="HTTP status"
            whole
            required
            value={Number(fieldOf(error, 'injected_http_error_code') ?? 0)}
            change={(code) => put('injected_error', writeKey(error, 'injected_http_error_code', code ?? 0))}
          />
          <Field
            label="Message"
            value={String(fieldOf(error, 'error_message') ?? '')}
            change={(text) => put('injected_error', writeKey(error, 'error_message', text))}
          />
        </div>
      )}
      <details open={kind === 'tool'}>
        <summary>Delay and chance</summary>
        <div class="options">
          <NumberField
            label="Delay in seconds"
            min={0}
            max={120}
            placeholder="0"
            value={number('injected_latency_seconds')}
            change={(next) => put('injected_latency_seconds', next)}
          />
          <NumberField
            label="Probability"
            min={0}
            max={1}
            placeholder="1"
            value={number('injection_probability')}
            change={(next) => put('injection_probability', next)}
          />
          <NumberField
            label="Seed"
            whole
            placeholder="the ids of case and repeat"
            value={number('random_seed')}
            change={(next) => put('random_seed', next)}
          />
        </div>
      </details>
    </>
  );
}
