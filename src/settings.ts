/** The settings of the service on any runtime, and how settings are parsed; config.ts adds those of a process. */
import { quote } from './contract/quote.ts';
import { describeValue } from './contract/schema.ts';
import { period } from './tax/contract.ts';

/** The version of the service, equal to that in package.json. */
export const VERSION = '1.0.0';

/** The validated settings of a service without a network. Sizes are in bytes. */
export interface ServiceConfig {
  readonly bodyLimit: number;
  readonly hashBodyLimit: number;
  readonly corsOrigin: readonly string[];
  readonly taxPeriod: string | undefined;
}

/** The definition of a setting: `bodyLimit` is BODY_LIMIT in the environment and --body-limit on the command line. */
export interface Setting<T> {
  readonly description: string;
  /** The values it accepts, in words. */
  readonly expected: string;
  /** The default, as text; undefined if the setting may be absent. */
  readonly default: string | undefined;
  /** Parses a value; undefined if it is invalid. */
  readonly parse: (text: string) => T | undefined;
}

/** The definitions of the settings of a configuration. */
export type Definitions<C> = { readonly [K in keyof C]: Setting<NonNullable<C[K]>> };

/** The settings that a program gives: names as in the configuration, values as in the environment. */
export type Given<C> = { readonly [K in keyof C]?: GivenValue<C[K]> | undefined };
type GivenValue<T> = T extends boolean ? 'on' | 'off' : T extends number | string ? T : string;

/** The settings of a service without a network, such as `{ bodyLimit: 4096, taxPeriod: '2026-08' }`. */
export type ServiceSettings = Given<ServiceConfig>;

/** The definitions of the settings of a service without a network. */
export const SERVICE_SETTINGS: Definitions<ServiceConfig> = {
  bodyLimit: integerSetting('Maximum body of a tax or interest request', 'bytes', 64, 2 ** 28, '16384'),
  hashBodyLimit: integerSetting('Maximum body of a hash request', 'bytes', 64, 2 ** 28, '1048576'),
  corsOrigin: {
    description: 'Origins whose scripts may read the answers',
    expected: '*, off, or origins like https://example.org, separated by commas',
    default: '*',
    parse(text) {
      if (text === '*' || text === 'off') return text === '*' ? ['*'] : [];
      const origins = text.split(',');
      return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? origins : undefined;
    },
  },
  taxPeriod: {
    description: 'Salary month of tax requests without a period; the current month in Vietnam if absent',
    expected: 'a month as YYYY-MM, 2015-01 or later',
    default: undefined,
    parse: (text) => period.read(text, '', []),
  },
};

/** An invalid setting or argument, described in one line for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Parses the settings that a program gives, among those with the given names. Throws ConfigError. */
export function parseGiven<C>(
  definitions: Definitions<C>, settings: unknown, names: readonly string[] = Object.keys(definitions),
): C {
  if (typeof settings !== 'object' || settings === null) {
    throw new ConfigError(`expected an object of settings, got ${describeValue(settings)}`);
  }
  for (const key of Object.keys(settings)) {
    if (!names.includes(key)) throw new ConfigError(`expected settings among ${names.join(', ')}, got ${key}`);
  }
  return parseConfig(definitions, (key) => settings[key as keyof typeof settings], (key) => key);
}

/** Parses the values of settings; `displayName` is the name of a setting in messages. Throws ConfigError. */
export function parseConfig<C>(
  definitions: Definitions<C>, valueOf: (key: string) => unknown, displayName: (key: string) => string,
): C {
  const parse = ([key, setting]: [string, Setting<unknown>]): [string, unknown] => {
    const value = valueOf(key) ?? setting.default;
    if (value === undefined) return [key, undefined];
    const parsed = typeof value === 'string' || typeof value === 'number' ? setting.parse(String(value)) : undefined;
    if (parsed !== undefined) return [key, parsed];
    const received = typeof value === 'string' ? quote(value) : describeValue(value);
    throw new ConfigError(`${displayName(key)}: expected ${setting.expected}, got ${received}`);
  };
  // Definitions requires each setting to parse into the member of C of the same name.
  return Object.freeze(Object.fromEntries(Object.entries<Setting<unknown>>(definitions).map(parse))) as C;
}

/** The definition of a setting whose value is a whole number. */
export function integerSetting(
  description: string, noun: string, minimum: number, maximum: number, byDefault: string,
): Setting<number> {
  const parse = (text: string): number | undefined => parseIntegerIn(text, minimum, maximum);
  return { description, expected: `${noun} from ${minimum} to ${maximum}`, default: byDefault, parse };
}

/** Parses a whole number within bounds. Returns undefined for any other text. */
export function parseIntegerIn(text: string, minimum: number, maximum: number): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= minimum && value <= maximum ? value : undefined;
}
