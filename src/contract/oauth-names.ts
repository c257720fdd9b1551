/** The `grant_type` of a device that asks for the tokens of its code (RFC 8628 §3.4). */
export const DEVICE_CODE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
