import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds between two looks at the event loop, and of a look itself. */
const INTERVAL = 500;
const RESOLUTION = 20;

/** How late the event loop is. */
export interface LagMonitor {
  /** Milliseconds of delay, 99th percentile of the last half second. */
  lag: number;
  /** Whether the delay has been over the limit, and not yet fallen below half of it. */
  isOverloaded: boolean;
  readonly stop: () => void;
}

/** Watches the delay of the event loop; it does not keep the process alive. */
export function monitorLag(maximum: number): LagMonitor {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  const timer = setInterval(() => {
    monitor.lag = Math.max(0, histogram.percentile(99) / 1e6 - RESOLUTION) || 0;
    monitor.isOverloaded = monitor.lag > (monitor.isOverloaded ? maximum / 2 : maximum);
    histogram.reset();
  }, INTERVAL).unref();
  const monitor: LagMonitor = {
    lag: 0,
    isOverloaded: false,
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
  return monitor;
}
