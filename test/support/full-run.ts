/**
 * Whether this is `npm run test:full`, which CI runs. It also runs tests on PostgreSQL of code that is the same for both
 * databases, and checks pages at each width and in both color schemes.
 */
export const isFullRun = process.env.TEST_FULL === 'true'
