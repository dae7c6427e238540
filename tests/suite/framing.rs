//! The framing of every answer, as controllers that others wrote read it.

use pontifex::board::Size;
use pontifex::engine::Options;
use pontifex::gtp::Session;

/// One request for each command at least, in a game of single points.
const REQUESTS: &str = "protocol_version\nname\nversion\nknown_command play\nlist_commands\nstop\n\
    boardsize 6\nclear_board\nkomi 6.5\nplay w C3\nplay w D5\nplay r A1\nplay r B2\nundo\n\
    gg-undo 1\nplay r A1\nplay r B2\nreg_genmove w\ngenmove w\ngenmove w\ntime_settings 0 0 0\n\
    time_left w 10 0\nkgs-time_settings none\nkata-time_settings none\n\
    kata-list_time_settings\nponte-time_settings none\nclear_cache\nshowboard\nfinal_score\nloadsgf missing.sgf\n\
    printsgf\nponte-legal_moves\nponte-legal_moves count\nponte-score\nponte-status\nponte-history\n\
    ponte-position\nkata-analyze r maxmoves 3\nkata-genmove_analyze r maxmoves 2\n\
    gogui-status\ngogui-candidates\nkata-genmove_analyze r\nponte-analyze maxmoves 2\n\
    ponte-genmove_analyze w maxmoves 2\nponte-list_params\nponte-get_param threads\n\
    ponte-set_param seed 3\ngogui-analyze_commands\ngogui-interrupt\ngogui-params\n\
    gogui-best_moves\ngogui-main_line\ngogui-winrates\ngogui-ownership\ngogui-candidates\n\
    gogui-networks\ngogui-score\ngogui-status\ngogui-rules_game_id\ngogui-rules_board\n\
    gogui-rules_board_gfx\ngogui-rules_board_size\ngogui-rules_legal_moves\n\
    gogui-rules_side_to_move\ngogui-rules_final_result\n\
    ponte-set_position 4/1ww1/4/rr2 w - -\ngogui-networks\nponte-play_sequence a1,a2\n\
    ponte-play_sequence a4,b4\nfly\nquit";

/// The answer as GoGui 1.6.0 reads it (`GtpClient.java`): everything after the first space,
/// wherever that is, without the two line feeds at the end.
fn gogui(answer: &str) -> &str {
    let end = answer.len() - 2;
    answer.find(' ').map_or(&answer[1..end], |space| &answer[space + 1..end])
}

/// The answer as `@sabaki/gtp` 3.0.0 reads it (`Response.js`).
fn sabaki(answer: &str) -> &str {
    let text = answer.trim();
    let rest = &text[1..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    rest[digits..].trim()
}

/// The answer as gomill 0.8.3 reads it (`gtp_controller.py`). It sends no numbers.
fn gomill(answer: &str) -> &str {
    answer[1..].trim_start_matches([' ', '\t']).trim_end()
}

/// The answer as GTP 2 defines it.
fn strict(answer: &str) -> Result<&str, &'static str> {
    let text = answer.strip_suffix("\n\n").ok_or("no empty line at the end")?;
    if text.contains("\n\n") {
        return Err("an empty line in the middle");
    }
    if text.chars().any(|c| c.is_control() && c != '\n') {
        return Err("a control character");
    }
    let rest = text.strip_prefix(['=', '?']).ok_or("neither = nor ?")?;
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() { Ok(rest) } else { rest.strip_prefix(' ').ok_or("no space") }
}

fn session() -> Session {
    let mut options = Options { playouts: 30, ..Options::default() };
    options.search.threads = 1;
    options.search.memory = 16;
    options.rules.size = Size::new(6).unwrap();
    let mut session = Session::new(options);
    session.set_single_points(true);
    session
}

#[test]
fn every_answer_is_read_alike_by_every_client() {
    let mut plain = session();
    let mut numbered = session();
    let (mut names, mut texts) = (Vec::new(), 0);
    for request in REQUESTS.lines() {
        let answer = plain.answer_line(request.as_bytes()).unwrap();
        let name = request.split(' ').next().unwrap();
        if answer.starts_with('=') {
            names.push(name);
        }
        // A stream of reports begins with a line of its own.
        let text = if name.contains("analyze") && name != "gogui-analyze_commands" {
            &answer[2..answer.len() - 2]
        } else {
            strict(&answer).unwrap_or_else(|error| panic!("{request}: {error}: {answer:?}"))
        };
        assert_eq!(gomill(&answer).trim(), text.trim(), "gomill: {request}");
        assert_eq!(sabaki(&answer), text.trim(), "@sabaki/gtp: {request}");
        let numbered = numbered.answer_line(format!("7{texts} {request}").as_bytes()).unwrap();
        assert_eq!(sabaki(&numbered), text.trim(), "@sabaki/gtp, numbered: {request}");
        if !name.contains("_analyze") && !name.ends_with("-analyze") {
            assert_eq!(gogui(&answer), text, "GoGui: {request}");
            texts += usize::from(!text.is_empty());
        }
    }
    let commands = session().answer_line(b"list_commands").unwrap();
    for command in strict(&commands).unwrap().lines() {
        let is_refused = ["final_score", "loadsgf"].contains(&command);
        assert!(names.contains(&command) || is_refused, "{command} has no answer here");
    }
    assert!(texts > 40, "{texts} answers have a text");
}

/// GoGui's parser of boards (`GtpUtil.parseStringBoard`): it takes what follows the first space,
/// skips empty lines and wants a word for every cell.
#[test]
fn gogui_finds_a_word_for_every_cell() {
    let mut session = session();
    for request in ["play w C3", "play w D5", "play r A1", "play r B2"] {
        assert_eq!(session.answer_line(request.as_bytes()).unwrap(), "=\n\n");
    }
    for command in ["gogui-rules_board", "gogui-winrates", "gogui-ownership", "gogui-candidates"] {
        let answer = session.answer_line(command.as_bytes()).unwrap();
        let lines = gogui(&answer).lines().filter(|line| !line.trim().is_empty());
        let words: Vec<usize> = lines.map(|line| line.split_whitespace().count()).collect();
        assert_eq!(words, [6; 6], "{command}: {answer}");
    }
    let board = session.answer_line(b"gogui-rules_board").unwrap();
    assert_eq!(gogui(&board).matches(['O', 'X']).count(), 4);
    let numbers = session.answer_line(b"gogui-ownership").unwrap();
    assert!(gogui(&numbers).split_whitespace().all(|word| word.parse::<f64>().is_ok()));
}
