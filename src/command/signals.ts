/** The signals that stop a process. */

/** The signals that stop the service, with their numbers; a terminal that is closed sends SIGHUP. */
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
/**
 * Milliseconds after a signal during which further signals belong to it: npm and `timeout` forward a signal that the
 * whole process group has received, and systemd may send SIGHUP together with SIGTERM.
 */
const SIGNAL_TIME = 500;

/** Called with the name of a signal, and with the exit code of a process that the signal ends. */
type SignalListener = (signal: string, exitCode: number) => void;

/** Calls `listener` on SIGHUP, SIGINT and SIGTERM. */
export function onSignal(listener: SignalListener): void {
  for (const [signal, number] of Object.entries(SIGNALS)) {
    process.on(signal, () => listener(signal, 128 + number));
  }
}

/** A listener that treats all signals within SIGNAL_TIME of the first as one. */
export function oncePerSignalTime(listener: SignalListener): SignalListener {
  let isRecent = false;
  const end = (): void => {
    isRecent = false;
  };
  return (signal, exitCode) => {
    if (isRecent) return;
    isRecent = true;
    // Timers run before signals are read. A signal that arrived during a pause of the process is read before `end`
    // runs.
    setTimeout(() => setImmediate(end), SIGNAL_TIME).unref();
    listener(signal, exitCode);
  };
}
