/** Options of Node.js for processes that end soon. */

/**
 * V8 in Node.js 20 optimizes a function after 135,168 bytes of bytecode, which takes a third of the
 * processor time of the compiler. Later versions count calls, and lack the option.
 */
export const fewerOptimizations = process.version.startsWith('v20.')
  ? ['--interrupt-budget=600000']
  : [];
