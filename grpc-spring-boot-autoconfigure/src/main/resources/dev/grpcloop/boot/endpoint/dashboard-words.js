/*
 * Numbers and times as people read them, and what the names in the answers mean.
 */

export function formatCount(number) {
  if (number === null || number === undefined || Number.isNaN(number)) {
    return '–';
  }
  const units = [[1e9, 'G'], [1e6, 'M'], [1e4, 'k']];
  for (const [unit, letter] of units) {
    if (number >= unit) {
      const shown = number / (unit === 1e4 ? 1e3 : unit);
      return shown.toFixed(shown < 100 ? 1 : 0) + ' ' + letter;
    }
  }
  if (number >= 100 || Number.isInteger(number)) {
    return Math.round(number).toLocaleString('en');
  }
  return number < 0.1 ? number.toFixed(2) : number.toFixed(1);
}

export function formatExactly(number) {
  return number?.toLocaleString('en') ?? '–';
}

export function formatTime(seconds) {
  if (seconds === null || seconds === undefined) {
    return '–';
  }
  for (const [unit, name] of [[60, 'min'], [1, 's'], [1e-3, 'ms']]) {
    if (seconds >= unit * (1 - 1e-9)) {
      return threeDigits(seconds / unit) + ' ' + name;
    }
  }
  return threeDigits(seconds * 1e6) + ' µs';
}

export function formatBytes(bytes) {
  if (bytes === null || bytes === undefined) {
    return '–';
  }
  let shown = bytes;
  for (const unit of ['B', 'KB', 'MB', 'GB', 'TB']) {
    if (shown < 1024 || unit === 'TB') {
      return (unit === 'B' ? String(Math.round(shown)) : threeDigits(shown)) + ' ' + unit;
    }
    shown /= 1024;
  }
  return '–';
}

export function formatShare(share) {
  if (share === null || share === undefined) {
    return '–';
  }
  if (share > 0 && share < 0.0005) {
    return '< 0.1 %';
  }
  return (share * 100).toFixed(share > 0 && share < 0.0995 ? 1 : 0) + ' %';
}

function threeDigits(number) {
  return number >= 99.95 ? Math.round(number).toLocaleString('en') : number.toFixed(1);
}

export function formatAge(seconds) {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) {
    return `${Math.floor(hours / 24)} days`;
  }
  if (hours >= 1) {
    return `${hours} h ${minutes % 60} min`;
  }
  return minutes >= 1 ? `${minutes} min` : `${Math.max(0, Math.floor(seconds))} s`;
}

export function clock(time) {
  return new Date(time).toLocaleTimeString();
}

/** The parts of a name of code: a line may end after each. */
export function breakable(name) {
  return name.split(/(?<=[./_-])(?=.)|(?<=[a-z0-9])(?=[A-Z])/);
}

/** Counts by name as words, the greatest first, without those that are 0. */
export function formatCounts(counts) {
  return Object.entries(counts ?? {})
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${name} ${formatCount(count)}`)
    .join(' · ');
}

export const METHOD_TYPES = {
  UNARY: 'unary',
  SERVER_STREAMING: 'server streaming',
  CLIENT_STREAMING: 'client streaming',
  BIDI_STREAMING: 'bidirectional',
};

export const GUARDS = {
  'rapid-reset': 'A client began and reset too many calls (CVE-2023-44487); its connection was closed.',
  'protocol-faults': 'Too many streams had to be reset for a client\'s faults; its connection was closed.',
  'continuation-flood': 'Request headers in too many small pieces (CVE-2024-27316); the connection was closed.',
  'headers-timeout': 'Request headers, or a frame, were begun and not completed in time: a slow or hostile client.',
  'too-many-pings': 'A client pings more often than it may. Raise its keepalive time, or permit more (keepalive.permit.time).',
  'settings-flood': 'Too many SETTINGS frames (CVE-2019-9515); the connection was closed.',
  'control-flood': 'Too many frames that change nothing; the connection was closed.',
  'empty-frames': 'Too many DATA frames without data (CVE-2019-9518); the connection was closed.',
  'tiny-windows': 'A client takes responses in tiny pieces (CVE-2019-9511); the connection was closed.',
  'unread-output': 'A client causes answers that it does not read (CVE-2019-9517); the connection was closed.',
  'write-stall': 'A client has taken no byte for too long: it hangs, or the network lost it.',
  'handshake-timeout': 'A client connected and did not complete the handshake: often a port check of a load balancer.',
  'keepalive-timeout': 'A client did not answer the keepalive ping: it is gone, or the network lost it.',
  'foreign-protocol': 'Something else than HTTP/2 came, such as HTTP/1.1 or TLS on a port without: look at clients\' addresses.',
  memory: 'The bytes held for clients reached their limit: slow readers or too many large messages at once.',
};

export const REFUSALS = {
  malformed: 'Header fields that break the rules of HTTP/2.',
  'not-grpc': 'Not a gRPC request: another method than POST or another content type, such as a browser\'s.',
  'metadata-too-large': 'Metadata beyond inbound.metadata.max-size: often a token or cookie that has grown.',
  'too-many-streams': 'A client had as many open calls as it may (max-concurrent-calls-per-connection); it will try again.',
  memory: 'The server held as many bytes for its clients as it may.',
  closing: 'The connection was about to close: normal when the server stops or connections age; clients try again.',
};
