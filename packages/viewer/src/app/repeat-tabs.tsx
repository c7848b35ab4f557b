import type { RunCase } from '@agent-criteria/results';
import { VerdictIcon } from './verdict.tsx';

export function RepeatTabs(props: {
  readonly units: readonly RunCase['result']['verdict'][];
  readonly chosen: number;
  choose(repeat: number): void;
}) {
  const { units, chosen, choose } = props;
  return (
    <div
      class="tabs"
      role="tablist"
      aria-label="Repeats"
      onKeyDown={(event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step === undefined) return;
        const next = (chosen + step + units.length) % units.length;
        choose(next);
        event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
      }}
    >
      {units.map((verdict, repeat) => (
        <button
          type="button"
          role="tab"
          key={repeat}
          id={`repeat-${repeat}`}
          aria-selected={repeat === chosen}
          aria-controls="repeat"
          tabIndex={repeat === chosen ? 0 : -1}
          onClick={() => choose(repeat)}
        >
          <VerdictIcon verdict={verdict} />
          <span class="unseen">{verdict}: </span>Repeat {repeat + 1}
        </button>
      ))}
    </div>
  );
}
