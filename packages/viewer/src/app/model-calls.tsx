import { type RunCall, tokenCounts, usageOf } from '@agent-criteria/results';
import { formatCost, tokensText } from '@agent-criteria/results/text';
import { useMemo } from 'preact/hooks';
import type { CallTexts } from '../page-data.ts';
import { CallText, RequestText } from './call-text.tsx';
import { count, formatTime, visible } from './format.ts';
import { Fold, JsonTree, Some } from './json-tree.tsx';
import { Prose } from './long-text.tsx';
import { UsageList } from './usage-facts.tsx';

const FROM_WORDS = { live: 'live', cache: 'from the cache', recording: 'from a recording' } as const;

/** The calls to models and paid services that criteria and the simulated user made in a repeat. */
export function ModelCalls(props: { readonly calls: readonly RunCall[]; readonly texts: CallTexts | undefined }) {
  const { calls, texts } = props;
  const textOf = useMemo(() => {
    const places = new Map(texts?.places);
    return (hash: string | undefined) => (hash === undefined ? undefined : texts?.texts[places.get(hash) ?? -1]);
  }, [texts]);
  if (calls.length === 0) return null;
  const failed = calls.filter(({ error }) => error !== undefined).length;
  return (
    <Fold
      class="model-calls"
      summary={() => `${count(calls.length, 'call')} to models and services${failed > 0 ? `, ${failed} failed` : ''}`}
    >
      {() => (
        <>
          <UsageList usage={usageOf({ inferences: [], calls })} />
          <ol>
            <Some items={calls}>
              {(call, place) => (
                <ModelCall key={place} call={call} request={textOf(call.request)} answer={textOf(call.answer)} />
              )}
            </Some>
          </ol>
        </>
      )}
    </Fold>
  );
}

function ModelCall(props: {
  readonly call: RunCall;
  readonly request: string | undefined;
  readonly answer: string | undefined;
}) {
  const { call, request, answer } = props;
  const tokens = tokenCounts(call.usage);
  return (
    <li class={call.error === undefined ? '' : 'failed'}>
      <b>{visible(call.caller)}</b> asks <code>{visible(call.target)}</code>
      <small>
        {call.turn !== null && ` turn ${call.turn + 1},`} sample {call.sample + 1},{' '}
        {formatTime(call.endedAt - call.startedAt)}
        {call.from !== undefined && `, ${FROM_WORDS[call.from]}`}
        {tokens !== null && `, ${tokensText(tokens)}`}
        {call.cost !== undefined && `, cost ${formatCost(call.cost)}`}
        {call.finish !== undefined && call.finish !== 'stop' && `, ended by ${visible(call.finish)}`}
        {call.error !== undefined && ', failed'}
      </small>
      {call.error !== undefined && <Prose class="reason" text={call.error.message} />}
      {request !== undefined && (
        <Fold class="call-text" summary={() => 'Prompt'}>
          {() => <RequestText text={request} />}
        </Fold>
      )}
      {answer !== undefined && (
        <Fold class="call-text" summary={() => 'Answer'}>
          {() => <CallText text={answer} />}
        </Fold>
      )}
      {call.usage !== undefined && <JsonTree name="usage" value={call.usage} />}
    </li>
  );
}
