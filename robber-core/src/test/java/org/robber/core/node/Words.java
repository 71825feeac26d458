package org.robber.core.node;

import java.util.Locale;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;

/** Messages and actions as words, for transcripts and tests. */
public final class Words {

    private Words() {}

    /** A message such as {@code have 3}, {@code desire 0-2,5} or {@code work none}. */
    public static String of(Message message) {
        String name = message.type().name().toLowerCase(Locale.ROOT).replace('_', '-');
        return switch (message.type()) {
            case BITFIELD -> name + ' ' + of(((Message.Bitfield) message).pieces());
            case DESIRE -> name + ' ' + of(((Message.Desire) message).pieces());
            case WORK -> name + ' ' + of(((Message.Work) message).pieces());
            case HAVE -> name + ' ' + ((Message.Have) message).piece();
            case REQUEST -> name + ' ' + ((Message.Request) message).piece();
            case REJECT -> name + ' ' + ((Message.Reject) message).piece();
            case CANCEL -> name + ' ' + ((Message.Cancel) message).piece();
            case STEAL -> name + ' ' + of((Message.Steal) message);
            default -> name;
        };
    }

    /** A set such as {@code 0-2,5} or {@code none}. */
    public static String of(PieceSet pieces) {
        String text = pieces.toString();
        return text.substring(0, text.indexOf(" of "));
    }

    /** An action such as {@code 3: request 2}, {@code 3: piece 2} or {@code completed}. */
    public static String of(Action action) {
        if (action instanceof Action.Send send) {
            return send.toRank() + ": " + of(send.message());
        }
        if (action instanceof Action.SendPiece send) {
            return send.toRank() + ": piece " + send.piece();
        }
        if (action instanceof Action.CancelPiece cancel) {
            return cancel.toRank() + ": take back piece " + cancel.piece();
        }
        if (action instanceof Action.Disconnect disconnect) {
            return "disconnect " + disconnect.peerRank() + ": " + disconnect.why();
        }
        if (action instanceof Action.SetTimer timer) {
            return timer.key().name().toLowerCase(Locale.ROOT) + " at " + timer.atNanos();
        }
        return action.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** The message that these words stand for. */
    public static Message message(String text, int pieceCount) {
        String[] words = text.split(" ", 2);
        String value = words.length > 1 ? words[1] : "";
        return switch (words[0]) {
            case "bitfield" -> new Message.Bitfield(pieces(value, pieceCount));
            case "desire" -> new Message.Desire(pieces(value, pieceCount));
            case "work" -> new Message.Work(pieces(value, pieceCount));
            case "have" -> new Message.Have(Integer.parseInt(value));
            case "request" -> new Message.Request(Integer.parseInt(value));
            case "reject" -> new Message.Reject(Integer.parseInt(value));
            case "cancel" -> new Message.Cancel(Integer.parseInt(value));
            case "steal" -> steal(value.split(" having ", 2));
            case "found-work" -> new Message.FoundWork();
            case "done" -> new Message.Done();
            case "stop" -> new Message.Stop();
            case "choke" -> new Message.Choke();
            case "unchoke" -> new Message.Unchoke();
            case "interested" -> new Message.Interested();
            case "not-interested" -> new Message.NotInterested();
            case "keep-alive" -> new Message.KeepAlive();
            default -> throw new IllegalArgumentException("no message: " + text);
        };
    }

    private static String of(Message.Steal steal) {
        return steal.piecesStolen() + (steal.workPieces() > 0 ? " having " + steal.workPieces() : "");
    }

    /** Such as {@code steal 12 having 30}; without the second number, a steal of a node that has no work left. */
    private static Message steal(String... numbers) {
        return new Message.Steal(Integer.parseInt(numbers[0]), numbers.length > 1 ? Integer.parseInt(numbers[1]) : 0);
    }

    /** The set that these words stand for. */
    public static PieceSet pieces(String text, int pieceCount) {
        PieceSet pieces = PieceSet.empty(pieceCount);
        if (!text.equals("none")) {
            for (String range : text.split(",", -1)) {
                int dash = range.indexOf('-');
                int from = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
                pieces.addRange(from, dash < 0 ? from + 1 : Integer.parseInt(range.substring(dash + 1)) + 1);
            }
        }
        return pieces;
    }
}
