/*
 * A certificate for `localhost`, valid from 2024 to 2046 and signed by its own key, which is used for
 * nothing else. Made with `openssl ca -selfsign`.
 */
export const KEY = ``

export const CERTIFICATE = ``
