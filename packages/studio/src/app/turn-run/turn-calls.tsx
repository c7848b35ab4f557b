import { type Invocation, toolCalls, toolSteps } from '@agent-criteria/core';
import {
  alignCalls,
  type CallRow,
  Fold,
  isSameCall,
  JsonChanges,
  JsonTree,
  preview,
  visible,
} from '@agent-criteria/viewer/views';

const WORDS = { same: '', changed: 'other arguments', gone: 'not called this time', new: 'not called before' } as const;

/** The calls of a turn, each compared with those before. */
export function TurnCalls({ now, before }: { readonly now: Invocation; readonly before: Invocation | null }) {
  const { rows } = alignCalls(before === null ? [] : toolCalls(before), toolSteps(now), []);
  if (rows.length === 0) return null;
  return (
    <ol class="turn-calls" aria-label="Calls">
      {rows.map((row, place) => (
        <Call key={place} row={row} kind={before === null ? 'same' : kindOf(row)} />
      ))}
    </ol>
  );
}

function kindOf({ expected, made }: CallRow): keyof typeof WORDS {
  if (made === null) return 'gone';
  if (expected === null) return 'new';
  return isSameCall(expected, made.call) ? 'same' : 'changed';
}

function Call({ row: { expected, made }, kind }: { readonly row: CallRow; readonly kind: keyof typeof WORDS }) {
  const call = made?.call ?? expected;
  if (call === null) return null;
  return (
    <li class={`turn-call ${kind}`}>
      <Fold
        summary={() => (
          <>
            <b>{visible(call.name ?? '(no name)')}</b>
            {WORDS[kind] !== '' && <span class="kind">{WORDS[kind]}</span>}
            <span class="preview">({call.args ? preview(call.args) : ''})</span>
          </>
        )}
      >
        {() => (
          <>
            {kind === 'changed' ? (
              <JsonChanges before={expected?.args ?? {}} after={call.args ?? {}} name="args" />
            ) : (
              <JsonTree name="args" value={call.args ?? {}} open />
            )}
            {made?.response != null && <JsonTree name="response" value={made.response.response ?? null} />}
          </>
        )}
      </Fold>
    </li>
  );
}
