import { count, localTime, visible } from '@agent-criteria/viewer/views';
import { useAnswer } from '../answer.tsx';
import { formatRoute } from '../route.ts';

const SHOWN = 10;

/** Lists the turns of an agent that were run again, newest first. Shows nothing if there are none. */
export function TurnRunList({ app }: { readonly app: string }) {
  const found = useAnswer('GET /turn-runs', { query: { app } });
  if (found.state !== 'there' || found.value.length === 0) return null;
  return (
    <section aria-label="Turns, run again">
      <h2>Turns, run again</h2>
      <ul class="sessions">
        {found.value.slice(0, SHOWN).map(({ id, message, times, agents, startedAt }) => (
          <li key={id}>
            <a href={formatRoute({ view: 'turn-run', turnRun: id })}>
              <bdi>{message === '' ? 'A message without text' : visible(message)}</bdi>
            </a>
            <small>
              {count(times * agents.length, 'answer')}
              {agents.length > 1 && ` by ${agents.map(({ name }) => visible(name)).join(' and ')}`},{' '}
              {localTime(startedAt)}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
