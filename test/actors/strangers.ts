/** The settings of a server that callers from elsewhere reach through a proxy on this machine. */
export const STRANGERS = { services: { trustedProxies: ['127.0.0.0/8'] } };

/** The headers of a call from another network, by its number. */
export const from = (network: number): Record<string, string> => ({ 'x-forwarded-for': `203.0.113.${network}` });
