/** How messages are encrypted: ECDH-ES (RFC 7518 §4.6), AES-GCM (§5.3), compressed where asked for (RFC 7516 §4.1.3). */
export const ENCRYPTION = { ALG: 'ECDH-ES', ENC: ['A128GCM', 'A256GCM'], ZIP: 'DEF' } as const;
