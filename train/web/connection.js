/* The line to the server: one WebSocket at a time, opened again by itself when it breaks.

   const line = Unspoken.connect(address, { message(content), state(kind) });
   line.send(content)   returns whether it could be sent
   line.retry()         try at once
   Kinds of state: "connecting", "open", "lost" (tries again, with growing pauses), and for good "replaced"
   (another window has the seat), "unknown" (there is no such seat) and "stopped" (the server was stopped).
*/
"use strict";

(function () {
  const FINAL = { 4001: "replaced", 4404: "unknown", 1001: "stopped" };
  const FIRST_PAUSE = 500;
  const LONGEST_PAUSE = 15000;

  Unspoken.connect = function (address, { message, state }) {
    let socket = null;
    let pause = FIRST_PAUSE;
    let timer = null;
    let ended = false;

    function open() {
      clearTimeout(timer);
      timer = null;
      state("connecting");
      const mine = new WebSocket(address);
      socket = mine;
      mine.onopen = () => state("open");
      mine.onmessage = (event) => {
        const content = JSON.parse(event.data);
        // Only what the server says proves that the line holds.
        pause = FIRST_PAUSE;
        if (content.type === "problem" && content.code === "server-stopping") ended = "stopped";
        if (content.type === "problem" && content.code === "replaced") ended = "replaced";
        message(content);
      };
      mine.onclose = (event) => {
        if (socket !== mine) return;
        socket = null;
        ended = ended || FINAL[event.code] || false;
        if (ended) {
          state(ended);
          return;
        }
        state("lost");
        // Many pages that lose one server do not come back in the same instant.
        timer = setTimeout(open, pause * (0.75 + Math.random() / 2));
        pause = Math.min(2 * pause, LONGEST_PAUSE);
      };
    }

    function retry() {
      if (socket) return;
      ended = false;
      pause = FIRST_PAUSE;
      open();
    }

    window.addEventListener("online", () => ended || retry());
    document.addEventListener("visibilitychange", () => document.hidden || ended || retry());
    open();
    return {
      send(content) {
        if (!socket || socket.readyState !== WebSocket.OPEN) return false;
        socket.send(JSON.stringify(content));
        return true;
      },
      retry,
    };
  };
})();
