import type { AdkLogger, AdkModule } from './adk-shapes.ts';

/** ADK's log levels, from the most to the least verbose. */
export type AdkLogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

const LEVELS: readonly AdkLogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];
const ours = new WeakSet<AdkLogger>();

/**
 * Redirects ADK's log to standard error, at the given level: its own logger writes a line per request to standard
 * output, where results go. A logger that the agent has set is kept.
 */
export function quietAdk(adk: AdkModule, level: AdkLogLevel = levelOfEnvironment()): void {
  const present = adk.getLogger();
  if (present.constructor.name !== 'SimpleLogger' && !ours.has(present)) return;
  const logger = standardErrorLogger(LEVELS.indexOf(level));
  ours.add(logger);
  adk.setLogger(logger);
}

function levelOfEnvironment(): AdkLogLevel {
  const wanted = process.env.AGENT_CRITERIA_ADK_LOG?.toLowerCase();
  return LEVELS.find((level) => level === wanted) ?? 'error';
}

function standardErrorLogger(least: number): AdkLogger {
  let from = least;
  const write = (level: number, messages: readonly unknown[]): void => {
    if (level >= from)
      process.stderr.write(`${LEVELS[level]?.toUpperCase()}: [ADK] ${messages.map(String).join(' ')}\n`);
  };
  return {
    setLogLevel(level) {
      from = level;
    },
    log: (level, ...messages) => write(level, messages),
    debug: (...messages) => write(0, messages),
    info: (...messages) => write(1, messages),
    warn: (...messages) => write(2, messages),
    error: (...messages) => write(3, messages),
  };
}
