import { PASS_RATE, type Trend, type TrendPoint } from '@agent-criteria/analysis';
import { intervalText, valueText } from '@agent-criteria/analysis/text';
import { count, localTime, visible } from '@agent-criteria/viewer/views';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatRoute } from '../route.ts';
import { trendDates } from './trend-dates.ts';
import { endsOf, partsOf, type TrendScale, trendScale } from './trend-scale.ts';

const HEIGHT = 180;
const LEFT = 52;
const RIGHT = 16;
const TOP = 22;
const BOTTOM = 26;
/** Minimum distance between points for touch input; wider charts scroll. */
const APART = 28;
const DATE = 116;

/** Plots a metric over time, with a dot and an interval for each run. Lines join only comparable runs. */
export function TrendChart({ trend }: { readonly trend: Trend }) {
  const { points } = trend;
  const [active, setActive] = useState(points.length - 1);
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(600);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const measure = () => setRoom(current.clientWidth);
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(current);
    return () => watcher.disconnect();
  }, []);
  const width = Math.max(room, LEFT + RIGHT + APART * points.length);
  // Scrolls to the newest runs.
  useLayoutEffect(() => {
    box.current?.scrollTo({ left: width });
  }, [width]);
  const scale = trendScale(trend);
  const spans = (width - LEFT - RIGHT) / points.length;
  const x = (place: number) => LEFT + (place + 0.5) * spans;
  const y = (value: number) =>
    TOP + ((scale.high - value) / Math.max(scale.high - scale.low, Number.EPSILON)) * (HEIGHT - TOP - BOTTOM);
  const shown = points[active] ?? points.at(-1);
  const title =
    trend.variant === undefined ? visible(trend.name) : `${visible(trend.name)} · ${visible(trend.variant)}`;
  return (
    <section class="trend" aria-label={title}>
      <h3>{title}</h3>
      <div class="trend-scroll" ref={box}>
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: the section names it, and each point has its own name. */}
        <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`}>
          <Axis trend={trend} scale={scale} width={width} y={y} />
          {partsOf(points).map((part) => (
            <Part key={part[0]} part={part} points={points} x={x} y={y} />
          ))}
          {points.map(
            ({ run, breaks, startedAt }, place) =>
              breaks.length > 0 && (
                <g key={`${run} ${startedAt}`} class="break">
                  <title>{breaks.map((reason) => visible(reason)).join('; ')}</title>
                  <line x1={x(place - 0.5)} x2={x(place - 0.5)} y1={TOP} y2={HEIGHT - BOTTOM} />
                  <text x={x(place - 0.5)} y={TOP - 7} text-anchor="middle">
                    ≠
                  </text>
                </g>
              ),
          )}
          <Dates points={points} x={x} width={spans} />
          {points.map((point, place) => (
            <a
              key={`${point.run} ${point.startedAt}`}
              href={formatRoute({ view: 'run', run: point.run })}
              aria-label={pointText(trend, point)}
              class={place === active ? 'active' : ''}
              onMouseEnter={() => setActive(place)}
              onFocus={() => setActive(place)}
            >
              <rect x={x(place) - APART / 2} y={TOP} width={APART} height={HEIGHT - TOP - BOTTOM} class="touch" />
              {point.value === null ? (
                <text x={x(place)} y={HEIGHT - BOTTOM - 4} text-anchor="middle" class="unknown">
                  ?
                </text>
              ) : (
                <circle cx={x(place)} cy={y(point.value)} r={place === active ? 6 : 4.5} />
              )}
            </a>
          ))}
        </svg>
      </div>
      {shown !== undefined && (
        <p class="trend-point" role="status">
          {pointText(trend, shown)}
        </p>
      )}
      <Remarks points={points} />
    </section>
  );
}

function Axis(props: {
  readonly trend: Trend;
  readonly scale: TrendScale;
  readonly width: number;
  y(value: number): number;
}) {
  const { trend, scale, width, y } = props;
  return (
    <g class="trend-axis">
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
            {valueText(tick, rangeOf(trend))}
          </text>
        </g>
      ))}
    </g>
  );
}

/** Draws joined points with their band. The line is dashed where something else changed. */
function Part(props: {
  readonly part: readonly number[];
  readonly points: readonly TrendPoint[];
  x(place: number): number;
  y(value: number): number;
}) {
  const { part, points, x, y } = props;
  const ends = part.flatMap((place) => {
    const own = endsOf(points[place] as TrendPoint);
    return own === null ? [] : [{ place, ...own }];
  });
  const outline = [
    ...ends.map(({ place, high }) => `${x(place)},${y(high)}`),
    ...ends.toReversed().map(({ place, low }) => `${x(place)},${y(low)}`),
  ];
  return (
    <g>
      {ends.length > 1 && <polygon class="band" points={outline.join(' ')} />}
      {ends.map(({ place, low, high }) => (
        <line key={place} class="whisker" x1={x(place)} x2={x(place)} y1={y(low)} y2={y(high)} />
      ))}
      {part.slice(1).map((place, index) => {
        const [before, now] = [points[part[index] as number], points[place]];
        return (
          <line
            key={place}
            class={`join ${now?.notes.length ? 'noted' : ''}`}
            x1={x(part[index] as number)}
            y1={y(before?.value ?? 0)}
            x2={x(place)}
            y2={y(now?.value ?? 0)}
          />
        );
      })}
    </g>
  );
}

function Dates(props: { readonly points: readonly TrendPoint[]; readonly width: number; x(place: number): number }) {
  const { points, width, x } = props;
  const every = Math.max(1, Math.ceil(DATE / width));
  const marked = points
    .map(({ run, startedAt }, place) => ({ run, startedAt, place }))
    // Counts from the newest run.
    .filter(({ place }) => (points.length - 1 - place) % every === 0);
  const dates = trendDates(marked.map(({ startedAt }) => startedAt));
  return (
    <g class="trend-axis">
      {marked.map(({ run, startedAt, place }, at) => (
        <text key={`${run} ${startedAt}`} x={x(place)} y={HEIGHT - 8} text-anchor="middle">
          {dates[at]}
        </text>
      ))}
    </g>
  );
}

/** Lists why runs are not comparable and, collapsed, other changes. */
function Remarks({ points }: { readonly points: readonly TrendPoint[] }) {
  const broken = points.filter(({ breaks }) => breaks.length > 0);
  const noted = points.filter(({ notes }) => notes.length > 0);
  const lines = (all: readonly TrendPoint[], texts: (point: TrendPoint) => readonly string[]) => (
    <ul>
      {all.map((point) => (
        <li key={`${point.run} ${point.startedAt}`}>
          {localTime(point.startedAt)}, <code>{visible(point.run)}</code>: {visible(texts(point).join('; '))}.
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {broken.length > 0 && (
        <div class="trend-remarks">
          <p>Not comparable with the run before:</p>
          {lines(broken, ({ breaks }) => breaks)}
        </div>
      )}
      {noted.length > 0 && (
        <details class="trend-remarks">
          <summary>Something else changed before {count(noted.length, 'run')} (dashed line)</summary>
          {lines(noted, ({ notes }) => notes)}
        </details>
      )}
    </>
  );
}

/** Returns the range for formatting: only rates are percentages, whereas scores are formatted like thresholds. */
function rangeOf({ name, range }: Trend): Pick<Trend['range'], 'min' | 'max'> {
  return name === PASS_RATE ? range : { min: 0, max: null };
}

function pointText(trend: Trend, { value, interval, cases, unjudged, startedAt, run }: TrendPoint): string {
  const range = rangeOf(trend);
  const ends = intervalText(interval, range);
  const number =
    value === null
      ? 'no value'
      : `${valueText(value, range)}${ends === null ? '' : ` (${ends})`}, ${count(cases, 'case')}`;
  const why = 'unknown' in interval && value !== null ? `; no interval, because ${interval.unknown}` : '';
  const open = unjudged === 0 ? '' : `; ${count(unjudged, 'case')} could not be judged in full`;
  return visible(`${localTime(startedAt)}, ${run}: ${number}${why}${open}`);
}
