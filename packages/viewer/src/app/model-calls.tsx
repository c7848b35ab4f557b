import type { RunCall } from '@agent-criteria/core';
import { count, formatCost, formatTime, visible } from './format.ts';
import { Fold, JsonTree, Some } from './json-tree.tsx';
import { tokensOf } from './tokens.ts';

const FROM_WORDS = { live: 'live', cache: 'from the cache', recording: 'from a recording' } as const;

/** Calls to models and paid services that criteria and the simulated user made in a repeat. */
export function ModelCalls({ calls }: { readonly calls: readonly RunCall[] }) {
  if (calls.length === 0) return null;
  const tokens = calls.map(({ usage }) => tokensOf(usage)).filter((number) => number !== null);
  const sum = tokens.reduce((total, number) => total + number, 0);
  const costs = calls.flatMap(({ cost }) => cost ?? []);
  const whole = costs.reduce((total, cost) => total + cost, 0);
  return (
    <Fold
      class="model-calls"
      summary={() =>
        [
          `${count(calls.length, 'call')} to models and services`,
          ...(tokens.length > 0 ? [count(sum, 'token')] : []),
          ...(costs.length > 0 ? [`cost ${formatCost(whole)}`] : []),
          ...(costs.length > 0 && costs.length < calls.length
            ? [`${calls.length - costs.length} without a price`]
            : []),
        ].join(', ')
      }
    >
      {() => (
        <ol>
          <Some items={calls}>
            {(call, place) => {
              const used = tokensOf(call.usage);
              return (
                <li key={place}>
                  <b>{visible(call.by)}</b> asks <code>{visible(call.to)}</code>
                  <small>
                    {call.turn !== null && ` turn ${call.turn + 1},`} sample {call.sample + 1},{' '}
                    {formatTime(call.endedAt - call.startedAt)}
                    {call.from !== undefined && `, ${FROM_WORDS[call.from]}`}
                    {used !== null && `, ${count(used, 'token')}`}
                    {call.cost !== undefined && `, cost ${formatCost(call.cost)}`}
                    {call.finish !== undefined && call.finish !== 'stop' && `, ended by ${visible(call.finish)}`}
                  </small>
                  {call.error !== undefined && (
                    <p class="reason" dir="auto">
                      {call.error.message}
                    </p>
                  )}
                  {call.usage !== undefined && <JsonTree name="usage" value={call.usage} />}
                </li>
              );
            }}
          </Some>
        </ol>
      )}
    </Fold>
  );
}
