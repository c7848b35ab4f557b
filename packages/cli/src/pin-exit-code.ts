import process from 'node:process';

/** Ends the process with a code that nothing can change any more. `exit` listeners still run. */
export type ExitWith = (code: number) => never;

/** The process, with the last step of Node's `process.exit`, which runs after the listeners. */
type Process = typeof process & { reallyExit(code: number): never };

/**
 * Makes the process end with the code that is passed to the returned function, whatever an agent or a dependency sets
 * through `process.exitCode` or `process.exit`, even in `exit` listeners. A process that ends earlier ends with 3.
 */
export function pinExitCode(): ExitWith {
  const own = process as Process;
  const exit = process.exit.bind(process);
  const end = own.reallyExit.bind(process);
  let code = 3;
  let isEarly = true;

  own.reallyExit = () => {
    if (isEarly) {
      isEarly = false;
      process.stderr.write(
        '\nThe process ended before the command did. Most likely the agent called process.exit, or is waiting for something that never happens.\n' +
          'Finished parts of the run are saved: agent-criteria runs lists it, agent-criteria resume continues it.\n',
      );
    }
    return end(code);
  };
  // A process that simply runs out of work ends without that step.
  process.exitCode = code;
  process.on('beforeExit', () => exit(code));

  return (given) => {
    code = given;
    isEarly = false;
    try {
      exit(code);
    } catch (error) {
      const text = error instanceof Error ? error.stack : String(error);
      process.stderr.write(`\nAn error while the process ended:\n${text}\n`);
      if (code === 0) code = 3;
    }
    return end(code);
  };
}
